/** The file that Cost Explorer downloads: a row for each day and a column for each service, in dollars alone. */
import { toModelKey } from '../../foundation/domain/usage-type.ts'
import { type BilledSums, numberIn, type ReportForm, unreadable } from './billed-usage.ts'

const costPattern = /^(.*)\(([^()]{1,4})\)$/
const modelPattern = /^(Claude .*) \(Amazon Bedrock Edition\)$/
const dayPattern = /^(\d{4}-\d{2}-\d{2})(?:[T ].*)?$/

interface ServiceColumn {
  readonly place: number
  readonly service: string
  readonly model: string | undefined
}

/** Undefined when it is no such file. */
export function findCostExplorerForm(headers: readonly string[]): ReportForm | undefined {
  const total = headers
    .map((header) => costPattern.exec(header.trim()))
    .find((match) => /^Total costs?$/i.test(match?.[1] ?? ''))
  if (total === undefined || total === null) return undefined
  if (total[2] !== '$')
    throw unreadable(`its costs are in ${total[2]}, and the gateway counts US dollars; choose USD in Cost Explorer`)
  if (!/^service$/i.test(headers[0]?.trim() ?? ''))
    throw unreadable(
      `it is grouped by ${(headers[0] ?? '').slice(0, 40)}, which does not name models; group it by Service in Cost Explorer`,
    )
  const columns = headers.flatMap((header, place): ServiceColumn[] => {
    const service = costPattern.exec(header.trim())?.[1]
    if (place === 0 || service === undefined || /^Total costs?$/i.test(service)) return []
    return [{ place, service, model: modelPattern.exec(service)?.[1] }]
  })
  const days: string[] = []
  return {
    form: 'cost_explorer',
    wanted: [0, ...columns.map(({ place }) => place)],
    row: (cells, line, sums) => {
      const day = dayPattern.exec(cells[0] ?? '')?.[1]
      // The first row has the sums of all days.
      if (day === undefined) return
      checkStep(days, day)
      sums.cover(`${day}T00`, `${day}T24`)
      for (const [index, column] of columns.entries()) readCost(column, cells[index + 1] ?? '', { day, line }, sums)
    },
  }
}

const DAY_MS = 86_400_000

/** A row for a month looks like one for its first day. */
function checkStep(days: string[], day: string): void {
  const before = days.at(-1)
  days.push(day)
  if (before !== undefined && Date.parse(day) - Date.parse(before) > 27 * DAY_MS)
    throw unreadable('it has a row for each month; choose the granularity Daily in Cost Explorer')
}

function readCost(
  { service, model }: ServiceColumn,
  text: string,
  { day, line }: { readonly day: string; readonly line: number },
  sums: BilledSums,
): void {
  const usd = numberIn(text, service.slice(0, 60), line)
  if (usd === 0) return
  if (model !== undefined) {
    const key = { day, model: toModelKey(model), modelName: model, dimension: undefined, isOtherTier: false }
    sums.use({ ...key, account: null, region: null, profile: null, unit: '' }, Number.NaN, usd)
  } else if (/^tax$/i.test(service)) sums.leaveOut('tax', usd)
  else sums.leaveOut(/bedrock/i.test(service) ? 'other_model' : 'other_service', usd)
}

/** A question of one's own: one measure by one thing, drawn or as a table. All of it is in the address. */
import type { Answer } from '../../../api/client.ts'
import { useGet } from '../../../api/queries.ts'
import { RankBars, type RankRow } from '../../../charts/rank-bars.tsx'
import { TimeSeries } from '../../../charts/time-series.tsx'
import { Select } from '../../../ui/controls.tsx'
import { formatCount, formatDurationMs, formatShare, formatUsd, formatUsdShort } from '../../../ui/format.ts'
import { Card } from '../../../ui/layout.tsx'
import { QueryView } from '../../../ui/states.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import { modelShown, NOBODY } from '../requests/exact-name.ts'
import { type Facet, type Filter, requestsSearch, useFilterShown } from './analytics-filter.ts'
import { EarlierFailure, earlierLine, earlierRead } from './earlier.tsx'
import {
  charts,
  type Group,
  groups,
  isAdditive,
  measures,
  othersBefore,
  type Question,
  questionIn,
  tops,
} from './explore-question.ts'
import { bucketFormat } from './zoned-day.ts'

type Explored = Answer<'/admin/analytics/explore', 'get'>

export function ExploreSection({ filter }: { readonly filter: Filter }) {
  const [state] = useUrlState()
  const question = questionIn(state)
  const { measure, by, top } = question
  const explored = useGet(
    '/admin/analytics/explore',
    { params: { query: { ...filter.query, measure, by, top } } },
    { keepPrevious: true },
  )
  const [{ params }, options] = earlierRead(filter)
  // All that were there: whoever is high now may have been low.
  const earlier = useGet(
    '/admin/analytics/explore',
    { params: { query: { ...params.query, measure, by, top: 1_000 } } },
    options,
  )
  const shown = useFilterShown(filter, explored)
  const before = filter.earlier === undefined || explored.isPlaceholderData ? undefined : earlier.data
  return (
    <>
      <Choices question={question} />
      <EarlierFailure filter={filter} query={earlier} />
      <QueryView query={explored} rows={8}>
        {(data) => <Shown data={data} before={before} question={question} filter={shown} />}
      </QueryView>
    </>
  )
}

function Choices({ question: { measure, by, top, chart } }: { readonly question: Question }) {
  const [, setState] = useUrlState()
  const choose = (name: string, usual: string) => (next: string) =>
    setState({ [name]: next === usual ? undefined : next })
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Select label="Measure" value={measure} choices={measures} onChange={choose('measure', 'spend')} />
        <Select label="Divided by" value={by} choices={groups(measure)} onChange={choose('by', 'team')} />
        {by !== 'time' && <Select label="Top" value={String(top)} choices={tops} onChange={choose('top', '10')} />}
        <Select label="Shown as" value={chart} choices={charts(by)} onChange={choose('chart', 'bars')} />
      </div>
    </Card>
  )
}

const formats: Readonly<Record<Explored['unit'], (value: number) => string>> = {
  usd: formatUsd,
  count: formatCount,
  share: formatShare,
  ms: formatDurationMs,
}

interface ShownProps {
  readonly data: Explored
  readonly before: Explored | undefined
  readonly question: Question
  readonly filter: Filter
}

function Shown(props: ShownProps) {
  return props.data.by === 'time' ? <Course {...props} /> : <Ranking {...props} />
}

const writeTitle = ({ measure, by }: Pick<Explored, 'measure' | 'by'>): string => {
  const name = measures.find(({ value }) => value === measure)?.label ?? measure
  return by === 'time' ? `${name} over time` : `${name} by ${by === 'user' ? 'person' : by}`
}

function writeLead({ total, unit, measure }: Explored): string {
  if (total === null) return 'Nothing to tell in this range.'
  return `${formats[unit](total)} ${isAdditive(measure) ? 'in all' : 'over all calls'}.`
}

function Course({ data, before, question, filter }: ShownProps) {
  const format = formats[data.unit]
  const buckets = data.rows.some(({ value }) => value !== null && value > 0) ? data.rows.map(({ name }) => name) : []
  const points = (before?.rows ?? []).map(({ name, value }) => ({ bucket: name, value }))
  // Shares of several buckets cannot be added: only what stands beside one bucket alone is compared.
  const combine = (own: readonly { readonly value: number | null }[]): number | null => {
    if (isAdditive(data.measure)) return own.reduce((sum, { value }) => sum + (value ?? 0), 0)
    return own.length === 1 ? (own[0]?.value ?? null) : null
  }
  return (
    <TimeSeries
      key={question.chart}
      title={writeTitle(data)}
      lead={`${writeLead(data)} In ${data.range.tz}.`}
      data={{
        buckets,
        series: [
          {
            name: writeTitle({ ...data, by: 'time' }).replace(' over time', ''),
            values: data.rows.map(({ value }) => value),
          },
        ],
      }}
      earlier={earlierLine(filter, { buckets, points }, combine)}
      shape={question.chart === 'area' ? 'area' : 'bars'}
      isTable={question.chart === 'table'}
      formatBucket={bucketFormat(data.range.tz, data.range.granularity)}
      formatValue={format}
      formatAxis={data.unit === 'usd' ? formatUsdShort : format}
      isWhole={data.unit === 'count'}
    />
  )
}

function Ranking({ data, before, question, filter }: ShownProps) {
  const by = data.by as Exclude<Group, 'time'>
  const then = new Map((before?.rows ?? []).map(({ name, value }) => [name, value]))
  const findBefore = (name: string): number | null => then.get(name) ?? (before?.others === null ? 0 : null)
  const rows: RankRow[] = [
    ...data.rows.map(({ name, value }) => ({
      name: shownAs(by, name),
      value: value ?? 0,
      shown: value === null ? '–' : undefined,
      to: { path: '/requests', search: requestsSearch(filter, { [by]: name }) },
      ...(before === undefined ? {} : { before: value === null ? null : findBefore(name) }),
    })),
    ...(data.others === null
      ? []
      : [
          {
            name: `${formatCount(data.others.groups)} others`,
            value: data.others.value ?? 0,
            shown: data.others.value === null ? '–' : undefined,
            ...(before === undefined ? {} : { before: othersBefore(data, before) }),
          },
        ]),
  ]
  return (
    <RankBars
      key={question.chart}
      title={writeTitle(data)}
      lead={writeLead(data)}
      rows={rows}
      limit={rows.length}
      isInOrder
      isTable={question.chart === 'table'}
      valueName={measures.find(({ value }) => value === data.measure)?.label ?? 'Value'}
      formatValue={formats[data.unit]}
    />
  )
}

function shownAs(facet: Facet, name: string): string {
  if (name === NOBODY) return `No ${facet === 'user' ? 'person' : facet}`
  return facet === 'model' ? modelShown(name) : name
}

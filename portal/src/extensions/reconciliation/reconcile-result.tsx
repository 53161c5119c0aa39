/** Both sides of the comparison, and where their difference comes from, each cause with the way to what mends it. */
import { Link } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { Answer } from '../../api/client.ts'
import { readFilter, requestsSearch } from '../../modules/analytics/reports/analytics-filter.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/controls.tsx'
import { formatCount, formatDay, formatNumber, formatUsd } from '../../ui/format.ts'
import { Card, Figure, FigureRow } from '../../ui/layout.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Badge, Callout } from '../../ui/states.tsx'
import { type CsvColumn, saveFile, toCsv } from '../../ui/table-export.ts'
import { Money, Name, Nothing } from '../../ui/values.tsx'

type Reconciliation = Answer<'/admin/analytics/reconciliation', 'post'>
type Cause = Reconciliation['causes'][number]
type Place = Reconciliation['places'][number]
type Amounts = Pick<Place, 'billed_usd' | 'gateway_usd' | 'difference_usd' | 'difference_percent'>
type Day = Reconciliation['days'][number]
type Model = Reconciliation['by_model'][number]

export function ReconcileResult({
  name,
  data,
  onAnother,
}: {
  readonly name: string
  readonly data: Reconciliation
  readonly onAnother: () => void
}) {
  const { range, report, totals } = data
  const day = (text: string): string => formatDay(`${text}T00:00:00Z`, 'UTC')
  const span = range.from === range.to ? day(range.from) : `${day(range.from)} to ${day(range.to)}`
  return (
    <>
      <Card
        title={name}
        lead={`${span}, days of UTC. ${formatCount(report.used_lines)} of ${formatCount(report.lines)} lines were compared; nothing of it is kept.`}
        actions={<Button onClick={onAnother}>Compare another</Button>}
      >
        {report.note === null ? (
          <FigureRow>
            <Figure
              name="Billed by AWS"
              value={formatUsd(totals.billed_usd)}
              detail="usage, before discounts and taxes"
            />
            <Figure
              name="Counted by the gateway"
              value={formatUsd(totals.gateway_usd)}
              detail="tokens, without web searches"
            />
            <Figure
              name="Difference"
              value={signed(totals.difference_usd)}
              detail={
                <>
                  {percentText(totals.difference_percent)} <StatusBadge status={totals.status} />
                </>
              }
            />
            <Figure
              name="Not explained"
              value={signed(totals.unexplained_usd)}
              detail="too small for a cause of its own"
            />
          </FigureRow>
        ) : (
          <Callout tone="warn" title="There is nothing to compare">
            {report.note}
          </Callout>
        )}
      </Card>
      <Causes data={data} />
      <ByModel rows={data.by_model} range={range} />
      {data.by_model.length > 0 && <Tokens rows={data.by_model} />}
      <ByDay rows={data.days} range={range} />
      {data.places.length > 0 && <ByPlace rows={data.places} />}
      {data.left_out.length > 0 && <LeftOut rows={data.left_out} />}
    </>
  )
}

/** Each line of a bill is rounded on its own: less than a hundredth of a cent between two sums is nothing. */
const ROUNDING_USD = 0.0001

function signed(usd: number): string {
  if (Math.abs(usd) < ROUNDING_USD) return formatUsd(0)
  return usd > 0 ? `+${formatUsd(usd)}` : formatUsd(usd)
}

function percentText(percent: number | null): string {
  return percent === null ? 'nothing billed' : `${percent > 0 ? '+' : ''}${formatNumber(percent)} %`
}

function StatusBadge({ status, isFinal = true }: { readonly status: 'match' | 'differs'; readonly isFinal?: boolean }) {
  if (status === 'match') return <Badge tone="ok">match</Badge>
  return isFinal ? <Badge tone="warn">differs</Badge> : <Badge tone="info">not final</Badge>
}

function Causes({ data: { causes, range, totals } }: { readonly data: Reconciliation }) {
  if (causes.length === 0)
    return totals.status === 'match' ? (
      <Callout tone="ok" title="The bill and the gateway agree">
        Nothing differs by enough to name a cause.
      </Callout>
    ) : null
  return (
    <Card
      title="Where the difference comes from"
      lead="In dollars of the bill; less than nothing is what the gateway counted too much."
    >
      <ul className="flex flex-col divide-y divide-line">
        {causes.map((cause) => (
          <li key={`${cause.kind} ${cause.text}`} className="flex flex-col gap-1 py-2.5 sm:flex-row sm:gap-4">
            <span className="tabular shrink-0 font-medium sm:w-28 sm:text-right">{signed(cause.usd)}</span>
            <div className="min-w-0 [overflow-wrap:anywhere]">
              <p>{cause.text}</p>
              <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-13 text-text-3">
                {!cause.is_certain && <span>What is left when all else is known</span>}
                <Remedy cause={cause} range={range} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface Way {
  readonly label: string
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
}

const prices = { to: '/models', search: { tab: 'prices' } }
const endpoints = { to: '/endpoints', label: 'See the endpoints' }

function findWay({ kind }: Cause, { from, to }: Reconciliation['range']): Way | undefined {
  switch (kind) {
    case 'unpriced_model':
      return { ...prices, label: 'Add a price' }
    case 'price_differs':
      return { ...prices, label: 'See the prices' }
    case 'outside_place':
    case 'outside_profile':
    case 'outside_same_profile':
    case 'outside_same_place':
      return endpoints
    case 'estimated_calls':
      return {
        to: '/requests',
        label: 'Show the estimated calls',
        search: requestsSearch(readFilter({ from, to, tz: 'UTC' }, Date.now()), { flag: 'estimated' }),
      }
    default:
      return undefined
  }
}

function Remedy({ cause, range }: { readonly cause: Cause; readonly range: Reconciliation['range'] }) {
  const way = findWay(cause, range)
  if (way === undefined) return null
  return (
    <Link to={way.to as never} search={(way.search ?? {}) as never} className="text-accent hover:underline">
      {way.label}
    </Link>
  )
}

const amountColumns = [
  {
    id: 'billed',
    header: 'Billed',
    align: 'right' as const,
    cell: ({ billed_usd }: Amounts) => <Money usd={billed_usd} />,
  },
  {
    id: 'gateway',
    header: 'Gateway',
    align: 'right' as const,
    cell: ({ gateway_usd }: Amounts) => <Money usd={gateway_usd} />,
  },
  {
    id: 'difference',
    header: 'Difference',
    align: 'right' as const,
    cell: ({ difference_usd }: Amounts) => <span className="tabular whitespace-nowrap">{signed(difference_usd)}</span>,
  },
  {
    id: 'percent',
    header: '%',
    align: 'right' as const,
    isMinor: true,
    cell: ({ difference_percent }: Amounts) => (
      <span className="tabular whitespace-nowrap">{percentText(difference_percent)}</span>
    ),
  },
]

function tokenColumn(id: 'input' | 'output' | 'cache_read' | 'cache_write', header: string) {
  return {
    id,
    header,
    align: 'right' as const,
    cell: ({ tokens }: Model) => (
      <span className="tabular whitespace-nowrap">
        {tokens.billed === null ? <Nothing word="not told" /> : formatCount(tokens.billed[id])}
        <span className="text-text-3"> / {formatCount(tokens.counted[id])}</span>
      </span>
    ),
  }
}

const csvAmounts: readonly CsvColumn<Model>[] = [
  { header: 'billed_usd', value: (row) => row.billed_usd },
  { header: 'gateway_usd', value: (row) => row.gateway_usd },
  { header: 'difference_usd', value: (row) => row.difference_usd },
  { header: 'difference_percent', value: (row) => row.difference_percent },
  { header: 'status', value: (row) => row.status },
  ...(['input', 'output', 'cache_read', 'cache_write'] as const).flatMap((kind) => [
    { header: `billed_${kind}_tokens`, value: (row: Model) => row.tokens.billed?.[kind] ?? null },
    { header: `counted_${kind}_tokens`, value: (row: Model) => row.tokens.counted[kind] },
  ]),
]

interface Ranged<Row> {
  readonly rows: readonly Row[]
  readonly range: Reconciliation['range']
}

function ByModel({ rows, range }: Ranged<Model>) {
  const columns: readonly CsvColumn<Model>[] = [{ header: 'model', value: ({ model }) => model }, ...csvAmounts]
  const name = `causeway-bill-by-model-${range.from}-to-${range.to}.csv`
  return (
    <Card
      title="By model"
      isFlush
      actions={
        <Button icon={Download} onClick={() => saveFile(name, toCsv(columns, rows))}>
          Models as CSV
        </Button>
      }
    >
      <PlainTable
        caption="By model"
        rows={rows}
        rowId={({ model }) => model}
        empty="Nothing was billed and nothing counted."
        columns={[
          { id: 'model', header: 'Model', cell: ({ model }) => <Name text={model} /> },
          ...amountColumns,
          { id: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
        ]}
      />
    </Card>
  )
}

function Tokens({ rows }: { readonly rows: readonly Model[] }) {
  return (
    <Card title="Tokens" lead="Billed / counted by the gateway." isFlush>
      <PlainTable
        caption="Tokens"
        rows={rows}
        rowId={({ model }) => model}
        empty="No tokens were billed and none counted."
        columns={[
          { id: 'model', header: 'Model', cell: ({ model }) => <Name text={model} /> },
          tokenColumn('input', 'Input'),
          tokenColumn('output', 'Output'),
          tokenColumn('cache_read', 'Cache read'),
          tokenColumn('cache_write', 'Cache write'),
        ]}
      />
    </Card>
  )
}

function ByDay({ rows, range }: Ranged<Day>) {
  const differing = rows.filter(({ status }) => status === 'differs')
  const [shown, setShown] = useState(differing.length > 0 ? 'differs' : 'all')
  const columns: readonly CsvColumn<Day>[] = [
    { header: 'day', value: ({ day }) => day },
    { header: 'model', value: ({ model }) => model },
    { header: 'is_final', value: (row) => String(row.is_final) },
    ...csvAmounts,
  ]
  const name = `causeway-bill-by-day-${range.from}-to-${range.to}.csv`
  return (
    <Card
      title="By day"
      isFlush
      actions={
        <>
          <Select
            label="Show"
            value={shown}
            choices={[
              { value: 'differs', label: `Days that differ (${differing.length})` },
              { value: 'all', label: `All days (${rows.length})` },
            ]}
            onChange={setShown}
          />
          <Button icon={Download} onClick={() => saveFile(name, toCsv(columns, rows))}>
            Days as CSV
          </Button>
        </>
      }
    >
      <PlainTable
        caption="By day"
        rows={shown === 'all' ? rows : differing}
        rowId={({ day, model }) => `${day} ${model}`}
        empty="No day differs."
        columns={[
          { id: 'day', header: 'Day', cell: ({ day }) => <span className="tabular whitespace-nowrap">{day}</span> },
          { id: 'model', header: 'Model', cell: ({ model }) => <Name text={model} /> },
          ...amountColumns,
          {
            id: 'status',
            header: 'Status',
            cell: ({ status, is_final }) => <StatusBadge status={status} isFinal={is_final} />,
          },
        ]}
      />
    </Card>
  )
}

function ByPlace({ rows }: { readonly rows: readonly Place[] }) {
  return (
    <Card title="By account, region and inference profile" isFlush>
      <PlainTable
        caption="By account, region and inference profile"
        rows={rows}
        rowId={({ account, region, profile }) => `${account} ${region} ${profile}`}
        empty="The report names no places."
        columns={[
          { id: 'account', header: 'Account', cell: ({ account }) => account ?? <Nothing word="not told" /> },
          {
            id: 'region',
            header: 'Region',
            cell: ({ region }) => (region === null ? <Nothing word="not told" /> : <Name text={region} />),
          },
          {
            id: 'profile',
            header: 'Inference profile',
            isMinor: true,
            cell: ({ profile }) =>
              profile === null ? <Nothing /> : <Name text={profile.split('/').at(-1) ?? profile} />,
          },
          {
            id: 'endpoints',
            header: 'Endpoints',
            cell: (row) => (row.endpoints.length === 0 ? <Nothing /> : <Name text={row.endpoints.join(', ')} />),
          },
          ...amountColumns,
        ]}
      />
    </Card>
  )
}

function LeftOut({ rows }: { readonly rows: Reconciliation['left_out'] }) {
  return (
    <Card title="Left out of the comparison" lead="None of it is in the difference above." isFlush>
      <PlainTable
        caption="Left out of the comparison"
        rows={rows}
        rowId={({ side, reason }) => `${side} ${reason}`}
        empty="Nothing."
        columns={[
          { id: 'text', header: 'What', cell: ({ text }) => text },
          { id: 'side', header: 'Of', cell: ({ side }) => (side === 'bill' ? 'the bill' : 'the gateway') },
          { id: 'lines', header: 'Lines', align: 'right', cell: ({ lines }) => formatCount(lines) },
          { id: 'usd', header: 'Dollars', align: 'right', cell: ({ usd }) => <Money usd={usd} /> },
        ]}
      />
    </Card>
  )
}

/** What a person costs on a day on which they use the gateway, beside the time before and the published marks. */
import type { Answer } from '../../../api/client.ts'
import { useGet } from '../../../api/queries.ts'
import { formatCounted, formatUsd } from '../../../ui/format.ts'
import { Card } from '../../../ui/layout.tsx'
import { QueryView } from '../../../ui/states.tsx'
import { type Filter, useFilterShown } from './analytics-filter.ts'
import { EarlierFailure, earlierRead } from './earlier.tsx'
import { changeInFull, changeInWords } from './overview.tsx'

type UnitPrice = Answer<'/admin/analytics/unit-price', 'get'>
type Figures = UnitPrice['unit_price']

export function UnitPriceCard({ filter }: { readonly filter: Filter }) {
  const price = useGet('/admin/analytics/unit-price', { params: { query: filter.query } }, { keepPrevious: true })
  const shown = useFilterShown(filter, price)
  // The days right before come with every answer; others are asked for.
  const isOfMonth = filter.comparison === 'month'
  const [earlierInit] = earlierRead(filter)
  const ofMonth = useGet('/admin/analytics/unit-price', earlierInit, { enabled: isOfMonth })
  return (
    <Card
      title="Cost of a person on an active day"
      lead="What people spent, divided by the days on which each of them had a call."
    >
      {isOfMonth && <EarlierFailure filter={filter} query={ofMonth} />}
      <QueryView query={price} rows={3}>
        {(data) => <Shown data={data} before={isOfMonth ? ofMonth.data?.unit_price : data.previous} filter={shown} />}
      </QueryView>
    </Card>
  )
}

interface ShownProps {
  readonly data: UnitPrice
  readonly before: Figures | undefined
  readonly filter: Filter
}

function Shown({ data: { unit_price: now, marks }, before, filter }: ShownProps) {
  const { usd_per_person_day: price } = now
  if (price === null)
    return (
      <p className="text-text-2">
        Nobody had a call in this range, so there is no active day to divide by.{othersText(now)}
      </p>
    )
  return (
    <>
      <p className="tabular text-20 font-semibold tracking-tight">{formatUsd(price)}</p>
      <p className="mt-0.5 text-12 text-text-3">
        {before === undefined ? '' : `${beforeText(price, before.usd_per_person_day, filter)}. `}
        {formatUsd(now.spend_usd)} over {formatCounted(now.person_days, 'active day')} of people.{othersText(now)}
      </p>
      <Ruler price={price} marks={marks} />
    </>
  )
}

function beforeText(now: number, before: number | null, filter: Filter): string {
  if (before === null) return 'nobody was active before'
  return (filter.earlier === undefined ? changeInWords : changeInFull)(now, before, formatUsd)
}

function othersText({ other_spend_usd: others }: Figures): string {
  return others === 0 ? '' : ` Not counted: ${formatUsd(others)} of keys without a person and of probes.`
}

/** A scale up to the larger of the price and a little more than the last mark. */
function Ruler({ price, marks }: { readonly price: number; readonly marks: UnitPrice['marks'] }) {
  const end = Math.max(price, ...marks.map(({ usd }) => usd)) * 1.1
  const place = (usd: number): string => `${(usd / end) * 100}%`
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: the element cannot carry marks, and browsers draw it each in their own way. */}
      <div
        role="meter"
        aria-label="Cost of a person on an active day"
        aria-valuemin={0}
        aria-valuemax={Math.round(end)}
        aria-valuenow={Math.round(price)}
        aria-valuetext={formatUsd(price)}
        className="relative mt-3 h-2.5 rounded-full bg-sunken"
      >
        <div className="h-full rounded-full bg-accent" style={{ width: place(price) }} />
        {marks.map(({ usd }) => (
          <span
            key={usd}
            aria-hidden
            className="absolute -top-1 h-4.5 w-0.5 rounded-full bg-text-3"
            style={{ left: place(usd) }}
          />
        ))}
      </div>
      <ul className="mt-3 flex flex-col gap-1 text-13 text-text-2">
        {marks.map(({ usd, text }) => (
          <li key={usd}>
            <span className="tabular font-medium">{formatUsd(usd)}</span> {text} {sideText(price, usd)}
          </li>
        ))}
      </ul>
      <p className="mt-1 text-12 text-text-3">
        Both marks are published for the coding client in enterprises. They know nothing of your prices or your work.
      </p>
    </>
  )
}

function sideText(price: number, mark: number): string {
  if (price === mark) return 'You are right there.'
  return price < mark ? `You are ${formatUsd(mark - price)} below.` : `You are ${formatUsd(price - mark)} above.`
}

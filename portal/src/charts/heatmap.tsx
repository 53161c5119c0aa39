/** Weekday by hour: the darker a field, the more happened. Every field carries its number. */
import { ChartFrame } from './chart-frame.tsx'

export interface HeatCell {
  /** 0 is Monday. */
  readonly weekday: number
  readonly hour: number
  readonly value: number
}

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
const hours = Array.from({ length: 24 }, (_, hour) => hour)

export function Heatmap({
  title,
  lead,
  cells,
  valueName,
  formatValue,
}: {
  readonly title: string
  readonly lead?: string
  readonly cells: readonly HeatCell[]
  readonly valueName: string
  readonly formatValue: (value: number) => string
}) {
  const byPlace = new Map(cells.map((cell) => [`${cell.weekday}-${cell.hour}`, cell.value]))
  const max = Math.max(0, ...cells.map(({ value }) => value))
  const valueAt = (day: number, hour: number): number => byPlace.get(`${day}-${hour}`) ?? 0
  const rows = () =>
    days.flatMap((day, index) =>
      hours.map((hour) => [`${day} ${String(hour).padStart(2, '0')}:00`, formatValue(valueAt(index, hour))]),
    )
  return (
    <ChartFrame title={title} lead={lead} table={{ head: ['Hour', valueName], isEmpty: max === 0, rows }}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section tabIndex={0} aria-label={`${title}, by weekday and hour`} className="relative overflow-x-auto">
        <table className="w-full min-w-[560px] table-fixed border-separate border-spacing-[2px]">
          <caption className="sr-only">{title}</caption>
          <thead>
            <tr>
              <td className="w-9" />
              {hours.map((hour) => (
                <th key={hour} scope="col" className="text-left text-11 font-normal text-text-3">
                  {hour % 3 === 0 ? String(hour).padStart(2, '0') : <span className="sr-only">{hour}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day, index) => (
              <tr key={day}>
                <th scope="row" className="text-left text-11 font-normal text-text-3">
                  {day}
                </th>
                {hours.map((hour) => (
                  <HeatField
                    key={hour}
                    value={valueAt(index, hour)}
                    max={max}
                    shown={formatValue(valueAt(index, hour))}
                    place={`${day} ${hour}:00`}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Scale most={`${formatValue(max)} ${valueName.toLowerCase()}`} none={`no ${valueName.toLowerCase()}`} />
    </ChartFrame>
  )
}

/** What the shades stand for. */
function Scale({ most, none }: { readonly most: string; readonly none: string }) {
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-1.5 gap-y-1 text-12 text-text-2">
      <Shade share={0} />
      <span className="mr-2.5">{none}</span>
      {[0.01, 0.25, 0.5, 0.75, 1].map((share) => (
        <Shade key={share} share={share} />
      ))}
      <span>up to {most}</span>
    </p>
  )
}

function Shade({ share }: { readonly share: number }) {
  return <span aria-hidden className="size-3.5 rounded-[3px]" style={{ background: chooseShade(share) }} />
}

/** Even the smallest share is told from none. */
function chooseShade(share: number): string {
  return share === 0
    ? 'var(--sunken)'
    : `color-mix(in oklab, var(--series-1) ${Math.round(12 + share * 88)}%, var(--sunken))`
}

function HeatField({
  value,
  max,
  shown,
  place,
}: {
  readonly value: number
  readonly max: number
  readonly shown: string
  readonly place: string
}) {
  const background = chooseShade(max === 0 ? 0 : value / max)
  return (
    <td title={`${place}: ${shown}`} className="h-5 rounded-[3px] p-0" style={{ background }}>
      <span className="sr-only">{shown}</span>
    </td>
  )
}

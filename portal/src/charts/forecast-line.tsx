/** A line of what was, and a dashed one of what may come with the band in which it probably stays. */

import { scaleLinear } from '@visx/scale'
import { AreaClosed, LinePath } from '@visx/shape'
import { ChartFrame } from './chart-frame.tsx'
import { Plot } from './plot.tsx'

export interface ForecastPoint {
  readonly bucket: string
  readonly value: number
  readonly low: number
  readonly high: number
}

interface ForecastLineProps {
  readonly title: string
  readonly lead?: string
  readonly past: readonly { readonly bucket: string; readonly value: number }[]
  readonly future: readonly ForecastPoint[]
  readonly formatBucket: (bucket: string) => string
  readonly formatValue: (value: number) => string
  readonly formatAxis?: (value: number) => string
}

interface Spot {
  readonly index: number
  readonly value: number
  readonly low: number
  readonly high: number
}

export function ForecastLine({ title, lead, past, future, formatBucket, formatValue, formatAxis }: ForecastLineProps) {
  const known: Spot[] = past.map(({ value }, index) => ({ index, value, low: value, high: value }))
  const last = known.at(-1)
  // The forecast begins where the line ends, so that there is no hole between them.
  const expected: Spot[] = [
    ...(last === undefined ? [] : [last]),
    ...future.map(({ value, low, high }, step) => ({ index: past.length + step, value, low, high })),
  ]
  const buckets = [...past.map(({ bucket }) => bucket), ...future.map(({ bucket }) => bucket)]
  const max = Math.max(0, ...known.map(({ value }) => value), ...expected.map(({ high }) => high))
  const rows = () =>
    buckets.map((bucket, index) => {
      const spot = known[index]
      const ahead = future[index - past.length]
      return spot !== undefined || ahead === undefined
        ? [formatBucket(bucket), formatValue(spot?.value ?? 0), '', '']
        : [formatBucket(bucket), formatValue(ahead.value), formatValue(ahead.low), formatValue(ahead.high)]
    })
  return (
    <ChartFrame
      title={title}
      lead={lead}
      table={{ head: ['Time', 'Value', 'Low', 'High'], isEmpty: buckets.length === 0, rows }}
      legend={[
        { name: 'So far', color: 'var(--series-1)' },
        { name: 'Forecast, with the band of 80%', color: 'var(--series-3)' },
      ]}
    >
      <Plot
        label={`${title}, ${past.length} points and a forecast of ${future.length}`}
        length={buckets.length}
        max={max}
        tickLabel={(index) => formatBucket(buckets[index] ?? '')}
        formatValue={formatAxis ?? formatValue}
        readingAt={(index) => {
          const ahead = future[index - past.length]
          const title = formatBucket(buckets[index] ?? '')
          if (ahead === undefined)
            return {
              title,
              lines: [{ name: 'So far', value: formatValue(known[index]?.value ?? 0), color: 'var(--series-1)' }],
            }
          return {
            title,
            lines: [
              { name: 'Forecast', value: formatValue(ahead.value), color: 'var(--series-3)' },
              { name: 'Between', value: `${formatValue(ahead.low)} and ${formatValue(ahead.high)}` },
            ],
          }
        }}
      >
        {({ x, y, height }) => (
          <>
            <AreaClosed<Spot>
              data={expected}
              x={({ index }) => x(index)}
              y0={({ low }) => y(low)}
              y1={({ high }) => y(high)}
              yScale={scaleLinear({ domain: [0, max || 1], range: [height, 0] })}
              fill="var(--series-3)"
              fillOpacity={0.18}
            />
            <LinePath<Spot>
              data={expected}
              x={({ index }) => x(index)}
              y={({ value }) => y(value)}
              stroke="var(--series-3)"
              strokeWidth={2}
              strokeDasharray="5 4"
            />
            <LinePath<Spot>
              data={known}
              x={({ index }) => x(index)}
              y={({ value }) => y(value)}
              stroke="var(--series-1)"
              strokeWidth={2}
            />
          </>
        )}
      </Plot>
    </ChartFrame>
  )
}

/** Amounts over time, stacked: who or what made up each bucket. */

import { scaleBand, scaleLinear, scaleOrdinal } from '@visx/scale'
import { AreaStack, BarStack, LinePath } from '@visx/shape'
import { useMemo } from 'react'
import { changeExact, changeHead, changeShown } from '../ui/change.ts'
import { ChartFrame } from './chart-frame.tsx'
import { Plot } from './plot.tsx'
import { type EarlierLine, limitSeries, seriesColor, type TimeData } from './series.ts'

interface TimeSeriesProps {
  readonly title: string
  readonly lead?: string
  readonly data: TimeData
  /** The sums of an earlier time, as a quiet line over the others. */
  readonly earlier?: EarlierLine | undefined
  readonly shape?: 'area' | 'bars'
  readonly formatBucket: (bucket: string) => string
  readonly formatValue: (value: number) => string
  /** Shorter, for the axis. */
  readonly formatAxis?: (value: number) => string
  /** Of things that are counted: the axis names no part of one. */
  readonly isWhole?: boolean
  readonly isTable?: boolean
  readonly actions?: React.ReactNode
}

/** More of them are too thin to be told apart: an area says the same. */
export const MOST_BARS = 62

type Row = { readonly index: number; readonly values: readonly (number | null)[] }

export function TimeSeries({
  title,
  lead,
  data,
  earlier,
  shape = 'area',
  formatBucket,
  formatValue,
  formatAxis,
  isWhole = false,
  isTable = false,
  actions,
}: TimeSeriesProps) {
  const series = useMemo(() => limitSeries(data.series), [data.series])
  const rows: Row[] = data.buckets.map((_, index) => ({
    index,
    values: series.map(({ values }) => values[index] ?? null),
  }))
  const hasGaps = rows.some(isGap)
  const max = Math.max(
    0,
    ...rows.map(({ values }) => addUp(values)),
    ...(earlier?.values ?? []).map((value) => value ?? 0),
  )
  const before = (index: number): number | null => earlier?.values[index] ?? null
  const total = (row: Row | undefined): number | null => (row === undefined || isGap(row) ? null : addUp(row.values))
  const shown = (value: number | null | undefined): string =>
    value === null || value === undefined ? NOTHING : formatValue(value)
  const keys = series.map((_, index) => String(index))
  const legend = [
    ...series.map(({ name }, index) => ({ name, color: seriesColor(index) })),
    ...(earlier === undefined ? [] : [{ name: earlier.name, color: EARLIER_COLOR }]),
  ]
  const hasTotal = series.length > 1
  const readingAt = (index: number) => {
    const values = rows[index]?.values ?? []
    const lines = series.map(({ name }, order) => ({
      name,
      value: shown(values[order]),
      color: seriesColor(order),
    }))
    const sum = { name: 'Total', value: formatValue(addUp(values)) }
    const bucket = earlier?.buckets[index]
    const then = { name: `Before, ${formatBucket(bucket ?? '')}`, value: shown(before(index)), color: EARLIER_COLOR }
    return {
      title: formatBucket(data.buckets[index] ?? ''),
      lines: [...(hasTotal ? [...lines.reverse(), sum] : lines), ...(bucket === undefined ? [] : [then])],
    }
  }
  const table = {
    head: [
      'Time',
      ...series.map(({ name }) => name),
      ...(hasTotal ? ['Total'] : []),
      ...(earlier === undefined ? [] : changeHead),
    ],
    isEmpty: data.buckets.length === 0,
    rows: () =>
      data.buckets.map((bucket, index) => {
        const values = rows[index]?.values ?? []
        return [
          formatBucket(bucket),
          ...values.map(shown),
          ...(hasTotal ? [formatValue(addUp(values))] : []),
          ...(earlier === undefined ? [] : changeShown(total(rows[index]), before(index), formatValue)),
        ]
      }),
    exact: () =>
      data.buckets.map((bucket, index) => {
        const values = rows[index]?.values ?? []
        return [
          bucket,
          ...values,
          ...(hasTotal ? [addUp(values)] : []),
          ...(earlier === undefined ? [] : changeExact(total(rows[index]), before(index))),
        ]
      }),
  }
  return (
    <ChartFrame title={title} lead={lead} table={table} legend={legend} actions={actions} isTable={isTable}>
      <Plot
        label={`${title}, ${data.buckets.length} points`}
        length={data.buckets.length}
        max={max}
        isWhole={isWhole}
        spacing={shape === 'bars' ? 'bands' : 'edges'}
        tickLabel={(index) => formatBucket(data.buckets[index] ?? '')}
        formatValue={formatAxis ?? formatValue}
        readingAt={readingAt}
      >
        {({ x, y, width, height }) => (
          <>
            {shape === 'area' ? (
              <AreaStack<Row, string>
                data={rows}
                keys={keys}
                value={(row, key) => row.values[Number(key)] ?? 0}
                x={(point) => x(point.data.index)}
                y0={(point) => y(point[0])}
                y1={(point) => y(point[1])}
                defined={(point) => !isGap(point.data)}
              >
                {({ stacks, path }) =>
                  stacks.map((stack) => (
                    <path
                      key={stack.key}
                      d={path(stack) ?? ''}
                      fill={seriesColor(Number(stack.key))}
                      fillOpacity={0.78}
                      // A point between two gaps has no area; its edge is what shows it.
                      {...(hasGaps ? { stroke: seriesColor(Number(stack.key)) } : {})}
                    />
                  ))
                }
              </AreaStack>
            ) : (
              <BarStack<Row, string>
                data={rows}
                keys={keys}
                value={(row, key) => row.values[Number(key)] ?? 0}
                x={(row) => String(row.index)}
                xScale={scaleBand({ domain: rows.map(({ index }) => String(index)), range: [0, width], padding: 0.25 })}
                yScale={scaleLinear({ domain: [0, max || 1], range: [height, 0], nice: 4 })}
                color={scaleOrdinal({ domain: keys, range: keys.map((key) => seriesColor(Number(key))) })}
              />
            )}
            {earlier !== undefined &&
              // Over a rim in the colour of the card, or dark bars would hide it.
              [
                { stroke: 'var(--surface)', strokeWidth: 4, strokeOpacity: 0.7 },
                { stroke: EARLIER_COLOR, strokeWidth: 1.5, strokeDasharray: '4 3' },
              ].map((look) => (
                <LinePath<number>
                  key={look.stroke}
                  data={rows.map(({ index }) => index)}
                  x={(index) => x(index)}
                  y={(index) => y(before(index) ?? 0)}
                  defined={(index) => before(index) !== null}
                  {...look}
                />
              ))}
          </>
        )}
      </Plot>
    </ChartFrame>
  )
}

const NOTHING = '–'
const EARLIER_COLOR = 'var(--text-3)'

function addUp(values: Row['values']): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
}

function isGap({ values }: Row): boolean {
  return values.every((value) => value === null)
}

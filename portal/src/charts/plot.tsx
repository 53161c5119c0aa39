/** What the charts over time share: measured size, axes, the crosshair with its values, pointer and keyboard. */
import { AxisBottom, AxisLeft } from '@visx/axis'
import { Group } from '@visx/group'
import { scaleLinear } from '@visx/scale'
import { type ReactNode, useId } from 'react'
import { nearestIndex, type Spacing, useChartCursor } from './chart-keys.ts'
import { tickIndexes } from './ticks.ts'
import { useWidth } from './use-width.ts'

/** At the left there is room for the longest amount of money: `$0.00005`, in whatever font the system has. */
export const margin = { top: 8, right: 12, bottom: 26, left: 64 } as const

export interface PlotSize {
  readonly width: number
  readonly height: number
  readonly x: (index: number) => number
  readonly y: (value: number) => number
}

export interface Reading {
  readonly title: string
  readonly lines: readonly { readonly name: string; readonly value: string; readonly color?: string }[]
}

interface PlotProps {
  readonly label: string
  readonly length: number
  readonly max: number
  readonly height?: number
  readonly spacing?: Spacing
  /** Of things that are counted: the axis names no part of one. */
  readonly isWhole?: boolean
  readonly tickLabel: (index: number) => string
  readonly formatValue: (value: number) => string
  readonly readingAt: (index: number) => Reading
  readonly children: (size: PlotSize) => ReactNode
}

export function Plot({ label, length, max, height = 220, spacing = 'edges', isWhole = false, ...props }: PlotProps) {
  const [ref, outer] = useWidth()
  const cursor = useChartCursor(length)
  const helpId = useId()
  const width = Math.max(0, outer - margin.left - margin.right)
  const inner = height - margin.top - margin.bottom
  const scaleY = scaleLinear({ domain: [0, max > 0 ? max : 1], range: [inner, 0], nice: 4 })
  const x = (index: number): number => {
    if (spacing === 'bands') return ((index + 0.5) / Math.max(1, length)) * width
    return length < 2 ? width / 2 : (index / (length - 1)) * width
  }
  const size: PlotSize = { width, height: inner, x, y: (value) => scaleY(value) }
  const reading = cursor.index === undefined ? undefined : props.readingAt(cursor.index)
  const ticks = tickIndexes(length, width)
  const levels = scaleY.ticks(4).filter((level) => !isWhole || Number.isInteger(level))
  return (
    <div ref={ref} className="relative w-full" style={{ height }}>
      <div
        role="img"
        aria-label={label}
        aria-describedby={helpId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read its values, and reach only what has the focus.
        tabIndex={0}
        onKeyDown={cursor.onKeyDown}
        onBlur={() => cursor.point(undefined)}
        onPointerLeave={() => cursor.point(undefined)}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          cursor.point(nearestIndex(event.clientX - box.left - margin.left, width, length, spacing))
        }}
        className="h-full overflow-x-clip rounded-6"
      >
        {width > 0 && (
          <svg width={outer} height={height} aria-hidden="true">
            <Group left={margin.left} top={margin.top}>
              {levels.map((tick) => (
                <line key={tick} x2={width} y1={scaleY(tick)} y2={scaleY(tick)} stroke="var(--line)" />
              ))}
              {props.children(size)}
              {cursor.index !== undefined && (
                <line
                  x1={x(cursor.index)}
                  x2={x(cursor.index)}
                  y2={inner}
                  stroke="var(--text-3)"
                  strokeDasharray="3 3"
                />
              )}
              <AxisLeft
                scale={scaleY}
                tickValues={levels}
                tickFormat={(value) => props.formatValue(Number(value))}
                hideAxisLine
                hideTicks
                tickLength={0}
                tickLabelProps={{ fill: 'var(--text-3)', fontSize: 11, textAnchor: 'end', dx: -8, dy: 4 }}
              />
              <AxisBottom
                top={inner}
                scale={scaleLinear({ domain: [0, Math.max(1, length - 1)], range: [x(0), x(Math.max(1, length - 1))] })}
                tickValues={ticks}
                tickFormat={(value) => props.tickLabel(Number(value))}
                stroke="var(--line)"
                hideTicks
                tickLabelProps={(value) => ({
                  fill: 'var(--text-3)',
                  fontSize: 11,
                  textAnchor: spacing === 'edges' ? anchorAt(Number(value), length) : 'middle',
                })}
              />
            </Group>
          </svg>
        )}
      </div>
      <span id={helpId} className="sr-only">
        Use the arrow keys to read the values, or view the table.
      </span>
      <span role="status" className="sr-only">
        {reading !== undefined &&
          `${reading.title}: ${reading.lines.map(({ name, value }) => `${name} ${value}`).join(', ')}`}
      </span>
      {reading !== undefined && cursor.index !== undefined && (
        <ReadingBox reading={reading} left={margin.left + x(cursor.index)} outer={outer} />
      )}
    </div>
  )
}

function ReadingBox({
  reading,
  left,
  outer,
}: {
  readonly reading: Reading
  readonly left: number
  readonly outer: number
}) {
  const isRight = left > outer / 2
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-1 z-10 min-w-36 rounded-8 border border-line bg-surface px-2.5 py-2 text-12 shadow-float"
      style={isRight ? { right: outer - left + 10 } : { left: left + 10 }}
    >
      <p className="mb-1 font-medium">{reading.title}</p>
      {reading.lines.map(({ name, value, color }) => (
        <p key={name} className="flex items-center gap-1.5">
          {color !== undefined && <span className="size-2 rounded-[2px]" style={{ background: color }} />}
          <span className="max-w-40 truncate text-text-2">{name}</span>
          <span className="tabular ml-auto pl-3">{value}</span>
        </p>
      ))}
    </div>
  )
}

/** The outermost labels stay inside of the chart. */
function anchorAt(index: number, length: number): 'start' | 'middle' | 'end' {
  if (index === 0) return 'start'
  return index === length - 1 ? 'end' : 'middle'
}

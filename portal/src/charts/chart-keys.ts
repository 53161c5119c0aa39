/** One tab stop for a chart; the arrows walk over its points, and what they show is read out. */
import { type KeyboardEvent, useState } from 'react'

export interface ChartCursor {
  readonly index: number | undefined
  readonly point: (index: number | undefined) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

export function useChartCursor(length: number): ChartCursor {
  const [index, setIndex] = useState<number>()
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = index ?? -1
    const moves: Readonly<Record<string, number | undefined>> = {
      ArrowRight: Math.min(length - 1, at + 1),
      ArrowLeft: Math.max(0, at - 1),
      Home: 0,
      End: length - 1,
    }
    if (event.key === 'Escape') setIndex(undefined)
    const next = moves[event.key]
    if (next === undefined || length === 0) return
    event.preventDefault()
    setIndex(next)
  }
  return { index: index !== undefined && index < length ? index : undefined, point: setIndex, onKeyDown }
}

/** Lines reach both edges; bars stand in the middle of equal bands. */
export type Spacing = 'edges' | 'bands'

/** The point that the pointer means: of bars the one in whose band it is. */
export function nearestIndex(x: number, width: number, length: number, spacing: Spacing): number {
  if (length < 2 || width <= 0) return 0
  const index = spacing === 'bands' ? Math.floor((x / width) * length) : Math.round((x / width) * (length - 1))
  return Math.min(length - 1, Math.max(0, index))
}

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

export function nearestIndex(x: number, width: number, length: number): number {
  if (length < 2 || width <= 0) return 0
  return Math.min(length - 1, Math.max(0, Math.round((x / width) * (length - 1))))
}

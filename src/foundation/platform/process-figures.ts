/** How this process is doing: how late its event loop runs, and what it uses. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface ProcessFigures {
  /** Seconds beyond the grain of the measurement, of the last whole window. */
  readonly delay: () => { readonly p50: number; readonly p99: number; readonly max: number }
  /** Share of the last whole window in which the event loop was busy. */
  readonly utilization: () => number
  readonly memory: () => { readonly resident: number; readonly heap: number; readonly external: number }
  readonly cpuSeconds: () => number
  readonly stop: () => void
}

/** Windows of our own, because several readers ask at different times and none may empty the others' figures. */
const WINDOW_MS = 30_000
const GRAIN_MS = 20

export function watchProcess(): ProcessFigures {
  const histogram = monitorEventLoopDelay({ resolution: GRAIN_MS })
  histogram.enable()
  let usedUntil = performance.eventLoopUtilization()
  let delay = { p50: 0, p99: 0, max: 0 }
  let utilization = 0
  const turn = (): void => {
    delay = {
      p50: beyondGrain(histogram.percentile(50)),
      p99: beyondGrain(histogram.percentile(99)),
      max: beyondGrain(histogram.max),
    }
    histogram.reset()
    const now = performance.eventLoopUtilization()
    utilization = performance.eventLoopUtilization(now, usedUntil).utilization
    usedUntil = now
  }
  const timer = setInterval(turn, WINDOW_MS).unref()
  return {
    delay: () => delay,
    utilization: () => utilization,
    memory: () => {
      const { rss, heapUsed, external } = process.memoryUsage()
      return { resident: rss, heap: heapUsed, external }
    },
    cpuSeconds: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
    stop: () => {
      clearInterval(timer)
      histogram.disable()
    },
  }
}

function beyondGrain(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - GRAIN_MS / 1000)
}

/** Exports everything while calls are served; says what it did to the calls and to the memory of the gateway. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { cpuMicros, quantile, rssKilobytes } from '../machine.ts'
import type { Target } from '../targets/target.ts'
import { type Call, serveCallsFor, serveCallsWhile } from './serve-calls.ts'
import { startWatch } from './watch.ts'

export interface ExportOptions {
  readonly target: Target & { readonly pid?: number | undefined }
  readonly url: string
  readonly token: string
  /** Whether to say what ran while calls were slow. */
  readonly isWatched: boolean
}

const WARM_SECONDS = 5
/** Enough for sixty calls above the 99th percentile; with an export they last as long as it does. */
const ALONE_SECONDS = 60
const SLOW_MS = 30

export async function exportBesideCalls({ target, url, token, isWatched }: ExportOptions) {
  const pid = target.pid ?? 0
  await serveCallsFor(target, WARM_SECONDS)
  const alone = await serveCallsFor(target, ALONE_SECONDS)
  const memoryBefore = rssKilobytes(pid)
  let memoryMost = memoryBefore
  const watching = setInterval(() => {
    memoryMost = Math.max(memoryMost, rssKilobytes(pid))
  }, 50)
  const download = await startDownload(url, token)
  const cpuBefore = cpuMicros(pid)
  const watch = isWatched ? startWatch() : undefined
  let isExporting = true
  const ended = download.done.finally(() => {
    isExporting = false
  })
  download.begin()
  const beside = await serveCallsWhile(target, () => isExporting)
  const whatRan = watch?.stop()
  const downloaded = await ended
  clearInterval(watching)
  return {
    ...downloaded,
    memoryGrowthMb: Math.round((memoryMost - memoryBefore) / 1024),
    gatewayCpuMs: Math.round((cpuMicros(pid) - cpuBefore) / 1000),
    callsP99Ms: { alone: computeP99(alone), beside: computeP99(beside) },
    stalls: findStalls(beside).map(({ startedMs, ms, calls }) => ({
      atMs: Math.round(startedMs - (beside[0]?.startedMs ?? 0)),
      ms: Math.round(ms),
      calls,
      ...(whatRan === undefined ? {} : { ran: whatRan(startedMs, startedMs + ms) }),
    })),
  }
}

function computeP99(list: readonly Call[]): number {
  return quantile(
    list.map(({ ms }) => ms),
    0.99,
  )
}

/** Slow calls that ran at the same time are one stall. */
function findStalls(list: readonly Call[]): readonly (Call & { readonly calls: number })[] {
  const stalls: (Call & { readonly calls: number })[] = []
  for (const { startedMs, ms } of list
    .filter((call) => call.ms > SLOW_MS)
    .toSorted((a, b) => a.startedMs - b.startedMs)) {
    const last = stalls.at(-1)
    if (last === undefined || startedMs > last.startedMs + last.ms) stalls.push({ startedMs, ms, calls: 1 })
    else
      stalls.splice(-1, 1, {
        startedMs: last.startedMs,
        ms: Math.max(last.ms, startedMs + ms - last.startedMs),
        calls: last.calls + 1,
      })
  }
  return stalls
}

interface Downloaded {
  readonly ms: number
  readonly bytes: number
  readonly rows: number
}

/** In a process of its own: what this one reads would hold up the calls that it measures. */
async function startDownload(url: string, token: string) {
  const program = join(import.meta.dirname, 'download.ts')
  const child = spawn(process.execPath, [program, url, token], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)
  await once(lines, 'line')
  const done = once(lines, 'line').then(([line]) => JSON.parse(String(line)) as Downloaded)
  return { begin: () => child.stdin.write('go\n'), done }
}

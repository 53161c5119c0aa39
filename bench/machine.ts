/** The machine under the measurement: which core does what, what a process has used, and how busy everything was. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'

/** What is measured has this core for itself. */
export const MEASURED_CORE = 0
/** Upstream, load and database share the other. */
export const OTHER_CORE = 1

export function moveToOtherCore(): void {
  const moved = spawnSync('taskset', ['-apc', String(OTHER_CORE), String(process.pid)])
  if (moved.status !== 0) throw new Error('taskset is needed (Debian: apt-get install util-linux), and two cores')
}

/** CPU time of all threads, in microseconds. The scheduler's own count: finer than the ticks of /proc/pid/stat. */
export function cpuMicros(pid: number): number {
  let nanos = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      nanos += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ', 1)[0])
    } catch {
      // The thread ended between the listing and the reading.
    }
  }
  return nanos / 1000
}

/** Time that the host of this virtual machine gave to others while the core had something to do, in seconds. */
export function stolenSeconds(core: number): number {
  const ticks = new RegExp(`^cpu${core} (?:\\d+ ){7}(\\d+)`, 'm').exec(readFileSync('/proc/stat', 'latin1'))?.[1]
  return Number(ticks ?? 0) / TICKS_PER_SECOND
}

const TICKS_PER_SECOND = 100

export function rssKilobytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0)
}

export function loadAverage(): number {
  return Math.round((loadavg()[0] ?? 0) * 100) / 100
}

/** Share of the machine that is in use, over a second: asked while nothing of ours runs, it is what others use. */
export async function busyShare(): Promise<number> {
  const read = (): { busy: number; all: number } => {
    const ticks = cpus().flatMap(({ times }) => Object.entries(times))
    const all = ticks.reduce((sum, [, value]) => sum + value, 0)
    return { all, busy: all - ticks.reduce((sum, [kind, value]) => (kind === 'idle' ? sum + value : sum), 0) }
  }
  const first = read()
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const second = read()
  return Math.round(((second.busy - first.busy) / (second.all - first.all)) * 100) / 100
}

export interface MachineFacts {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly node: string
  readonly commit: string
  readonly dirty: boolean
}

export function machineFacts(): MachineFacts {
  const git = (...args: string[]): string => spawnSync('git', args, { encoding: 'utf8' }).stdout.trim()
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    commit: git('rev-parse', '--short', 'HEAD'),
    dirty: git('status', '--porcelain', '--', 'src') !== '',
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const [low = Number.NaN, high = low] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return (low + high) / 2
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

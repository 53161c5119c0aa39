/** What ran on the machine while calls were slow: which processes used the processors, and whether the disk was busy. */
import { readdirSync, readFileSync } from 'node:fs'

interface Sample {
  readonly atMs: number
  readonly line: string
}

const EVERY_MS = 50
/** Less than this of a processor says nothing. */
const LEAST_SHARE = 0.1

export function startWatch(): { readonly stop: () => (startMs: number, endMs: number) => readonly string[] } {
  const samples: Sample[] = []
  let [cpuBefore, diskBefore, atBefore] = [cpuByProcess(), diskMs(), performance.now()]
  const timer = setInterval(() => {
    const [cpu, disk, atMs] = [cpuByProcess(), diskMs(), performance.now()]
    const shares = [...cpu].flatMap(([name, ms]) => {
      const share = (ms - (cpuBefore.get(name) ?? ms)) / (atMs - atBefore)
      return share < LEAST_SHARE ? [] : [`${name} ${Math.round(100 * share)} %`]
    })
    samples.push({ atMs, line: [`disk ${Math.round(disk - diskBefore)} ms`, ...shares].join(', ') })
    ;[cpuBefore, diskBefore, atBefore] = [cpu, disk, atMs]
  }, EVERY_MS)
  return {
    stop: () => {
      clearInterval(timer)
      return (startMs, endMs) =>
        samples
          .filter(({ atMs }) => atMs >= startMs && atMs <= endMs + EVERY_MS)
          .map(({ atMs, line }) => `${Math.round(atMs - startMs)}: ${line}`)
    },
  }
}

function cpuByProcess(): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const name = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim().slice(0, 60)
      if (name === '') continue
      found.set(`${pid} ${name}`, Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ', 1)[0]) / 1e6)
    } catch {
      // It ended meanwhile.
    }
  return found
}

/** How long any disk had something to do. */
function diskMs(): number {
  const busy = readFileSync('/proc/diskstats', 'latin1')
    .split('\n')
    .map((line) => Number(line.trim().split(/\s+/)[12] ?? 0))
  return Math.max(0, ...busy.filter(Number.isFinite))
}

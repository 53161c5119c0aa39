/** What every scenario gets, and how its rounds are interleaved. */
import type { PlainLoader } from '../load/plain-load.ts'
import { cpuMicros, MEASURED_CORE, median, stolenSeconds } from '../machine.ts'
import { pause } from '../processes.ts'
import type { Launch, Target, TargetName } from '../targets/target.ts'
import type { Stub } from '../upstream/stub.ts'

export interface Bench {
  readonly stub: Stub
  /** Running, warm, in the order they are measured. */
  readonly targets: readonly Target[]
  readonly launches: Readonly<Partial<Record<TargetName, Launch>>>
  readonly plainLoad: PlainLoader
  readonly rounds: number
  /** Seconds of one measurement. */
  readonly seconds: number
  readonly quick: boolean
  readonly say: (line: string) => void
}

/** One row of the table: a value for each target, and its unit. */
export interface Row {
  readonly id: string
  readonly title: string
  readonly unit: string
  readonly values: Readonly<Partial<Record<TargetName, number>>>
  /** Every round, so that the spread can be seen. */
  readonly rounds: Readonly<Partial<Record<TargetName, readonly number[]>>>
}

/** All targets in turn, again and again: what disturbs the machine for a while disturbs all of them. */
export async function interleaved(
  { rounds: times }: Pick<Bench, 'rounds'>,
  targets: readonly Target[],
  measure: (target: Target) => Promise<number>,
): Promise<Pick<Row, 'values' | 'rounds'>> {
  const rounds: Partial<Record<TargetName, number[]>> = {}
  for (let round = 0; round < times; round += 1) {
    for (const target of targets) (rounds[target.name] ??= []).push(await measure(target))
  }
  const values: Partial<Record<TargetName, number>> = {}
  for (const target of targets) values[target.name] = median(rounds[target.name] ?? [])
  return { values, rounds }
}

const WARM_LOAD_SECONDS = 2

/**
 * In several loads, as it is measured later: when the clients of the first one leave, Node meets sockets that end for
 * the first time and throws away what its compiler had made for the others.
 */
export async function warmUp(seconds: number, load: (seconds: number) => Promise<unknown>): Promise<void> {
  for (let left = seconds; left > 0; left -= WARM_LOAD_SECONDS) await load(Math.min(left, WARM_LOAD_SECONDS))
}

/** CPU time of the target for each thing done. */
export async function cpuPer(target: Target, work: () => Promise<number>): Promise<number> {
  if (target.pid === undefined) throw new Error(`${target.name} is not measured`)
  const before = cpuMicros(target.pid)
  const done = await work()
  return (cpuMicros(target.pid) - before) / done
}

const UNDISTURBED_SHARE = 0.02
const TRIES = 8
const PAUSE_MS = 1_000
/** No further try after this: a host that is busy for long would make a run endless. */
const ENOUGH_MS = 20_000

/**
 * Measures again when others had the core for more than a fiftieth of the time, and keeps the least disturbed try: what
 * the host takes away is counted as time of whatever ran at that moment, which is mostly the busiest target.
 */
export async function undisturbed<T>(measure: () => Promise<T>): Promise<T> {
  let best: { readonly result: T; readonly share: number } | undefined
  const beganMs = performance.now()
  for (let attempt = 0; attempt < TRIES && performance.now() - beganMs < ENOUGH_MS; attempt += 1) {
    if (attempt > 0) await pause(PAUSE_MS)
    const startedMs = performance.now()
    const stolenBefore = stolenSeconds(MEASURED_CORE)
    const result = await measure()
    const share = (stolenSeconds(MEASURED_CORE) - stolenBefore) / ((performance.now() - startedMs) / 1000)
    if (best === undefined || share < best.share) best = { result, share }
    if (best.share <= UNDISTURBED_SHARE) break
  }
  if (best === undefined) throw new Error('nothing was measured')
  if (best.share > UNDISTURBED_SHARE)
    console.log(`      others had ${Math.round(best.share * 100)} % of the core in the best try`)
  return best.result
}

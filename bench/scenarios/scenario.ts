/** What every scenario gets, and how its rounds are interleaved. */
import type { PlainLoader } from '../load/plain-load.ts'
import { cpuMicros, median } from '../machine.ts'
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

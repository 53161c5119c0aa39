/**
 * Whether a filter that carries SQL takes longer than one that carries a name: each against names of the same length that
 * nobody has, asked in turn. What stands out by more than three standard deviations is asked again, more often, since the
 * machine makes outliers of its own; what still does is listed.
 */
import { injections } from '../../test/analytics/injections.ts'
import { median } from '../machine.ts'

export interface FilterTimes {
  readonly asked: number
  readonly refused: number
  readonly controlMs: number
  readonly deviationMs: number
  /** Those that took longer than names, by how many deviations. */
  readonly slower: readonly { readonly question: string; readonly deviations: number }[]
}

type Ask = (path: string) => Promise<number>

const ROUNDS = 5
const AGAIN = 25
const LIMIT = 3

export async function compareFilters(ask: Ask): Promise<FilterTimes> {
  const questions = ['team', 'user', 'model', 'endpoint'].flatMap((parameter) =>
    // `(none)` is no attack but what has no team, person or endpoint: it is answered with figures.
    injections
      .filter((text) => text !== '(none)')
      .map((text) => ({ text, of: (value: string) => `overview?${parameter}=${encodeURIComponent(value)}` })),
  )
  const times: {
    readonly question: string
    readonly control: string
    readonly ms: number
    readonly controlMs: number
  }[] = []
  let refused = 0
  for (const { text, of } of questions) {
    const [question, control] = [of(text), of('n'.repeat(text.length))]
    if ((await ask(question)) === 400) {
      refused += 1
      continue
    }
    times.push({ question, control, ...(await timeBoth(ask, question, control, ROUNDS)) })
  }
  const controlMs = mean(times.map((one) => one.controlMs))
  const deviationMs = Math.sqrt(mean(times.map((one) => (one.controlMs - controlMs) ** 2)))
  const slower: { readonly question: string; readonly deviations: number }[] = []
  for (const { question, control, ms } of times) {
    if (ms - controlMs <= LIMIT * deviationMs) continue
    const again = await timeBoth(ask, question, control, AGAIN)
    const deviations = (again.ms - again.controlMs) / deviationMs
    if (deviations > LIMIT) slower.push({ question, deviations })
  }
  return { asked: questions.length, refused, controlMs, deviationMs, slower }
}

async function timeBoth(ask: Ask, question: string, control: string, rounds: number) {
  const [ms, controlMs]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    ms.push(await timed(ask, question))
    controlMs.push(await timed(ask, control))
  }
  return { ms: median(ms), controlMs: median(controlMs) }
}

async function timed(ask: Ask, path: string): Promise<number> {
  const startedMs = performance.now()
  const status = await ask(path)
  if (status !== 200 && status !== 400) throw new Error(`${path}: ${status}`)
  return performance.now() - startedMs
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

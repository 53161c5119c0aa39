/** Whether what is asked for takes longer than what it is compared with, by more than the noise of the machine. */

export interface Question {
  readonly payload: string
  readonly control: string
}

export interface Comparison {
  /** Payloads that take long each time they are asked. */
  readonly sleeping: readonly string[]
  readonly medianMs: number
  readonly controlMs: number
  /** A standard deviation of the controls, from the middle of their distances: one outlier does not move it. */
  readonly deviationMs: number
}

/** Half of what a payload sleeps. A busy machine may take as long once, so it counts when it is so three times. */
const LONG_MS = 1_000
const TRIES = 3
/** So many payloads with one control among them, asked at once: what slows the machine for a while slows both. */
const AT_ONCE = 6

export async function compareTimes(
  questions: readonly Question[],
  ask: (value: string) => Promise<void>,
): Promise<Comparison> {
  const timed = async (value: string): Promise<number> => {
    const startedMs = performance.now()
    await ask(value)
    return performance.now() - startedMs
  }
  const [payloads, controls, sleeping]: [number[], number[], string[]] = [[], [], []]
  for (let start = 0; start < questions.length; start += AT_ONCE) {
    const together = questions.slice(start, start + AT_ONCE)
    const middle = Math.floor(together.length / 2)
    const answered = together.map(async ({ payload, control }, index) => {
      const controlled = index === middle ? timed(control) : undefined
      const tookMs = await timed(payload)
      if (controlled !== undefined) controls.push(await controlled)
      return { payload, tookMs }
    })
    for (const { payload, tookMs } of await Promise.all(answered)) {
      payloads.push(tookMs)
      let leastMs = tookMs
      for (let tries = 1; tries < TRIES && leastMs >= LONG_MS; tries += 1)
        leastMs = Math.min(leastMs, await timed(payload))
      if (leastMs >= LONG_MS) sleeping.push(payload)
    }
  }
  const controlMs = median(controls)
  return {
    sleeping,
    medianMs: median(payloads),
    controlMs,
    deviationMs: 1.4826 * median(controls.map((ms) => Math.abs(ms - controlMs))),
  }
}

/** Three deviations; a clock of milliseconds on a busy machine says nothing about less than three of them. */
export function isBeyondNoise({ medianMs, controlMs, deviationMs }: Comparison): boolean {
  return Math.abs(medianMs - controlMs) > Math.max(3, 3 * deviationMs)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

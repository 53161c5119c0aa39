/** Turns signals into one wish to stop; a second one, sent on purpose, ends everything at once. */

export interface StopSignals {
  readonly signal: AbortSignal
  readonly requested: Promise<void>
}

/** npm passes on what the terminal has already sent to everybody, so one Ctrl-C may arrive twice. */
const SAME_WISH_MS = 1_000

export function listenForStop(onFirst: () => void, onSecond: () => void): StopSignals {
  const controller = new AbortController()
  const { promise, resolve } = Promise.withResolvers<void>()
  let firstMs: number | undefined
  const stop = (): void => {
    const nowMs = performance.now()
    if (firstMs === undefined) {
      firstMs = nowMs
      onFirst()
      controller.abort(new StoppedError())
      resolve()
    } else if (nowMs - firstMs > SAME_WISH_MS) onSecond()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  return { signal: controller.signal, requested: promise }
}

/** The start was given up because somebody asked for it; nothing went wrong. */
export class StoppedError extends Error {
  constructor() {
    super('stopped')
    this.name = 'StoppedError'
  }
}

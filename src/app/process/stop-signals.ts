/** Signals that ask this process to stop, counted as whoever sent them meant it. */

/** npm and our own launcher pass on what a terminal or a service manager has already sent to every process. */
const SAME_WISH_MS = 1_000

export type ListenForStop = (heed: (signal: NodeJS.Signals, isFurther: boolean) => void) => void

export function createStopSignals(environment: Readonly<Record<string, string | undefined>>): ListenForStop {
  const isPassedOn = environment['npm_lifecycle_event'] !== undefined || environment['CAUSEWAY_LAUNCHER'] !== undefined
  const sameWishMs = isPassedOn ? SAME_WISH_MS : 0
  return (heed) => {
    let firstMs: number | undefined
    const listen = (signal: NodeJS.Signals): void => {
      const nowMs = performance.now()
      const isFurther = firstMs !== undefined
      firstMs ??= nowMs
      if (isFurther && nowMs - firstMs < sameWishMs) return
      heed(signal, isFurther)
    }
    process.on('SIGTERM', listen)
    process.on('SIGINT', listen)
  }
}

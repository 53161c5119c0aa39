/** The end of this process: in order at the first word, at once at a second of the same speaker. */
import type { Logger } from '../../foundation/platform/logger.ts'
import type { ListenForStop } from './stop-signals.ts'

interface Stoppable {
  readonly stop: () => Promise<void>
  readonly hurry: () => void
}

export interface ProcessEnd {
  /** Saying it twice changes nothing. */
  readonly stop: (signal: string) => void
  readonly hurry: () => void
  /** From now on there is something to end in order, and signals are heeded. */
  readonly watch: (app: Stoppable) => void
}

export function createProcessEnd(log: Logger, listenForStop: ListenForStop): ProcessEnd {
  let app: Stoppable | undefined
  let stopping = false
  const stop = (signal: string): void => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    // Nobody was served yet.
    if (app === undefined) process.exit(0)
    app.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  const hurry = (): void => app?.hurry()
  return {
    stop,
    hurry,
    watch: (started) => {
      app = started
      listenForStop((signal, isFurther) => {
        if (isFurther) hurry()
        stop(signal)
      })
    },
  }
}

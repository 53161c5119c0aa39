/**
 * A stream of server-sent events that never goes faster than its reader or than people can read.
 * A few lines; a dependency would be larger.
 */
import { Readable } from 'node:stream'

export interface PacedStream {
  readonly stream: Readable
  readonly send: (event: string, body: object) => void
  /** Whoever reads sees the end of the stream and may connect again. */
  readonly end: () => void
}

/** Ten events a second. */
const GAP_MS = 100
/** What waits for a slow reader or for its turn: at most this many, the oldest are left out. */
const MAX_WAITING = 50
const HEARTBEAT_MS = 15_000

export function createPacedStream(): PacedStream {
  let waiting: string[] = []
  let leftOut = 0
  let wantsMore = true
  let sentAtMs = performance.now()
  let lastEventMs = Number.NEGATIVE_INFINITY

  const stream = new Readable({
    read: () => {
      wantsMore = true
    },
    highWaterMark: 64 * 1024,
  })
  const push = (text: string): void => {
    sentAtMs = performance.now()
    wantsMore = stream.push(text)
  }
  const takeNext = (): string | undefined => {
    if (leftOut === 0) return waiting.shift()
    const text = format('left_out', { events: leftOut })
    leftOut = 0
    return text
  }
  const sendNext = (): void => {
    if (!wantsMore || stream.destroyed || performance.now() - lastEventMs < GAP_MS) return
    const next = takeNext()
    if (next === undefined) return
    lastEventMs = performance.now()
    push(next)
  }
  const timer = setInterval(() => {
    sendNext()
    // Proxies end connections that are silent, and a reader that is gone shows only when one writes to it.
    if (wantsMore && performance.now() - sentAtMs > HEARTBEAT_MS) push(': still here\n\n')
  }, GAP_MS).unref()
  stream.once('close', () => clearInterval(timer))
  push(': watching\n\n')

  return {
    stream,
    send: (event, body) => {
      waiting.push(format(event, body))
      if (waiting.length > MAX_WAITING) {
        leftOut += waiting.length - MAX_WAITING
        waiting = waiting.slice(-MAX_WAITING)
      }
      sendNext()
    },
    end: () => {
      clearInterval(timer)
      stream.push(null)
    },
  }
}

function format(event: string, body: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(body)}\n\n`
}

import type { Call } from '../aws/call.ts'
import type { Behaviour, CutStyle, Pace } from '../behaviour.ts'
import { closeConnection, isGone, resetConnection, waitWhileOpen, writeAll } from '../connection.ts'
import type { StreamEvent } from './message-events.ts'
import { planStream, type StreamStep } from './stream-plan.ts'

export type StreamProgress = { readonly eventSent: (event: StreamEvent) => void }

/** Writes a planned stream at its pace and records how far it came. */
export async function sendStream(
  call: Call,
  events: readonly StreamEvent[],
  pace: Pace,
  progress: StreamProgress,
): Promise<void> {
  const { response } = call.exchange
  const { entry, behaviour } = call
  const steps = planStream(events, behaviour)
  response.flushHeaders()
  if (pace.firstEventDelayMs > 0) await waitWhileOpen(response, pace.firstEventDelayMs)
  const writer = createWriter(call, behaviour)
  const isPlain = pace.eventsPerSecond === null && steps.every((step) => step.kind === 'event' || step.kind === 'bytes')
  if (isPlain && behaviour.writeBytes === undefined && behaviour.cut?.afterBytes === undefined) {
    await writeAll(response, Buffer.concat(steps.flatMap((step) => ('bytes' in step ? [step.bytes] : []))))
    if (!isGone(response)) for (const step of steps) noteEvent(call, step, progress)
  } else {
    const intervalMs = pace.eventsPerSecond === null ? 0 : 1000 / pace.eventsPerSecond
    for (const step of steps) {
      if (isGone(response) || writer.isFull()) break
      if (step.kind === 'stop') break
      if (step.kind === 'silence') await waitWhileOpen(response, step.ms)
      else await writer.write(step.bytes)
      if (!writer.isFull() && !isGone(response)) noteEvent(call, step, progress)
      if (step.kind === 'event' && intervalMs > 0) await waitWhileOpen(response, intervalMs)
    }
  }
  if (isGone(response) && !writer.isFull()) {
    entry.aborted = true
    return
  }
  entry.completed = entry.eventsSent === events.length
  const isCut = !entry.completed || writer.isFull() || behaviour.cut?.afterEvents === events.length
  finish(call, behaviour.cut && isCut ? (behaviour.cut.how ?? 'close') : 'end')
}

function noteEvent(call: Call, step: StreamStep, progress: StreamProgress): void {
  if (step.kind !== 'event') return
  call.entry.eventsSent += 1
  progress.eventSent(step.event)
}

function finish(call: Call, how: CutStyle): void {
  const { response } = call.exchange
  if (how === 'reset') resetConnection(response)
  else if (how === 'close') closeConnection(response)
  else response.end()
}

/** Splits writes and stops at a byte count, both counted over the body of the stream. */
function createWriter(call: Call, behaviour: Behaviour) {
  const { response } = call.exchange
  const limit = behaviour.cut?.afterBytes ?? Number.POSITIVE_INFINITY
  const size = behaviour.writeBytes
  let written = 0
  if (size !== undefined) response.socket?.setNoDelay(true)
  return {
    isFull: () => written >= limit,
    async write(bytes: Buffer): Promise<void> {
      const allowed = bytes.subarray(0, Math.min(bytes.length, limit - written))
      written += allowed.length
      for (let at = 0; at < allowed.length; at += size ?? allowed.length) {
        await writeAll(response, allowed.subarray(at, at + (size ?? allowed.length)))
        if (size !== undefined) await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

import type { Behaviour } from '../behaviour.ts'
import { encodeChunk, encodeErrorFrame, encodeException, paddingFor } from './event-stream.ts'
import type { StreamEvent } from './message-events.ts'

/** What goes over the wire, in order, before pacing and write sizes come into it. */
export type StreamStep =
  | { readonly kind: 'event'; readonly event: StreamEvent; readonly bytes: Buffer }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'silence'; readonly ms: number }
  | { readonly kind: 'stop' }

type Insertion = { readonly afterEvents: number; readonly steps: readonly StreamStep[] }

/** Lays the faults of a script over the events of an answer. */
export function planStream(events: readonly StreamEvent[], behaviour: Behaviour): readonly StreamStep[] {
  const insertions = toInsertions(behaviour)
  const steps: StreamStep[] = []
  for (let sent = 0; sent <= events.length; sent += 1) {
    for (const insertion of insertions) if (insertion.afterEvents === sent) steps.push(...insertion.steps)
    const event = events[sent]
    if (event)
      steps.push({
        kind: 'event',
        event,
        bytes: corrupted(encodeChunk(JSON.stringify(event), paddingFor(sent)), sent, behaviour),
      })
  }
  if (behaviour.extraBytes) steps.push({ kind: 'bytes', bytes: Buffer.from(behaviour.extraBytes.hex, 'hex') })
  return steps
}

/** A terminal frame ends the stream as the service does: nothing follows it. */
function toInsertions(behaviour: Behaviour): readonly Insertion[] {
  const { silence, exception, errorFrame, errorEvent, rawBytes, cut } = behaviour
  const insertions: Insertion[] = []
  const insert = (afterEvents: number, ...steps: StreamStep[]): void => {
    insertions.push({ afterEvents, steps })
  }
  if (silence) insert(silence.afterEvents, { kind: 'silence', ms: silence.ms })
  if (rawBytes) insert(rawBytes.afterEvents, { kind: 'bytes', bytes: Buffer.from(rawBytes.hex, 'hex') })
  if (exception) {
    const body = exception.body ?? { message: exception.message ?? 'The stream was interrupted.' }
    insert(exception.afterEvents, { kind: 'bytes', bytes: encodeException(exception.type, body) }, { kind: 'stop' })
  }
  if (errorFrame) {
    const bytes = encodeErrorFrame(errorFrame.code, errorFrame.message ?? 'Internal failure')
    insert(errorFrame.afterEvents, { kind: 'bytes', bytes }, { kind: 'stop' })
  }
  if (errorEvent) {
    const event: StreamEvent = { type: 'error', error: errorEvent.error }
    insert(
      errorEvent.afterEvents,
      { kind: 'bytes', bytes: encodeChunk(JSON.stringify(event), 'abc') },
      { kind: 'stop' },
    )
  }
  if (cut?.afterEvents !== undefined) insert(cut.afterEvents, { kind: 'stop' })
  return insertions
}

function corrupted(bytes: Buffer, frame: number, { corrupt }: Behaviour): Buffer {
  if (!corrupt || corrupt.frame !== frame) return bytes
  const at = corrupt.offset < 0 ? bytes.length + corrupt.offset : Math.min(corrupt.offset, bytes.length - 1)
  bytes[at] = (bytes[at] ?? 0) ^ (corrupt.xor ?? 0xff)
  return bytes
}

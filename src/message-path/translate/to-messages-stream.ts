/** Writes the hosted service's stream as server-sent events of the Messages form, and notes its facts on the way. */
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import { INVOCATION_METRICS } from '../../foundation/domain/usage-reading.ts'
import { JsonScanError, scanObject } from '../../foundation/platform/json-spans.ts'
import { applyEdits, type JsonEdit, removeSpans, replaceSpan } from '../../foundation/platform/json-spans-edit.ts'
import { memberAt } from '../../foundation/platform/json-spans-read.ts'
import { type FrequentKind, findFrequentKind } from './event-kinds.ts'
import { decodeBase64, eventHead, SseBuffer } from './sse.ts'
import {
  asEvent,
  noteDelta,
  noteEvent,
  type StreamEvent,
  type StreamFacts,
  startStreamFacts,
  toFailure,
  unreadableEvent,
} from './stream-facts.ts'

export interface MessagesStreamOptions {
  /** As the client asked for it; `message_start` carries it back. */
  readonly requestedModel: string
  /**
   * An error came as an event, or an event cannot be read. Nothing of it is written and nothing after it is looked at.
   * Before the first event another endpoint may still answer.
   */
  readonly onFailure: (failure: ProviderFailure, isFirstEvent: boolean) => void
  readonly onFirstContent?: () => void
}

export interface MessagesStream {
  readonly onEvent: (bytes: Buffer, base64Start: number, base64End: number) => void
  /** The events since the last call as one buffer, for one write; undefined when there are none. */
  readonly take: () => Buffer | undefined
  readonly facts: Readonly<StreamFacts>
}

const frequentHeads: Readonly<Record<FrequentKind, Buffer>> = {
  content_block_delta: eventHead('content_block_delta'),
  content_block_stop: eventHead('content_block_stop'),
  ping: eventHead('ping'),
}

export const pingEvent = Buffer.from('event: ping\ndata: {"type":"ping"}\n\n')

export function startMessagesStream(options: MessagesStreamOptions): MessagesStream {
  const facts = startStreamFacts()
  const gathered = new SseBuffer()
  let failed = false
  let hasContent = false

  function fail(failure: ProviderFailure): void {
    failed = true
    options.onFailure(failure, facts.events === 0)
  }

  function noteContent(): void {
    if (hasContent) return
    hasContent = true
    options.onFirstContent?.()
  }

  function onRareEvent(json: Buffer): void {
    const event = findEvent(json)
    const type = event?.['type']
    if (event === undefined || typeof type !== 'string') {
      fail(unreadableEvent)
      return
    }
    if (type === 'error') {
      fail(toFailure(event))
      return
    }
    const edits = findEdits(json, event, options.requestedModel)
    if (edits === undefined) {
      fail(unreadableEvent)
      return
    }
    gathered.append(eventHead(type), Buffer.concat(applyEdits(json, edits)))
    if (type === 'content_block_delta') noteDelta(facts, json.length)
    else noteEvent(facts, event)
    if (type.startsWith('content_block')) noteContent()
  }

  return {
    facts,
    take: () => gathered.take(),
    onEvent: (bytes, base64Start, base64End) => {
      if (failed) return
      const json = decodeBase64(bytes, base64Start, base64End)
      if (json === undefined) {
        fail(unreadableEvent)
        return
      }
      const kind = findFrequentKind(json)
      if (kind === undefined) {
        onRareEvent(json)
        return
      }
      gathered.append(frequentHeads[kind], json)
      if (kind === 'content_block_delta') {
        noteDelta(facts, json.length)
        if (!hasContent) noteContent()
      } else facts.events++
    },
  }
}

function findEvent(json: Buffer): StreamEvent | undefined {
  try {
    const event: unknown = JSON.parse(json.toString())
    return typeof event === 'object' && event !== null && !Array.isArray(event) ? asEvent(event) : undefined
  } catch {
    return undefined
  }
}

/** Undefined when the event is nested too deeply to be edited. */
function findEdits(json: Buffer, event: StreamEvent, requestedModel: string): JsonEdit[] | undefined {
  try {
    return listEdits(json, event, requestedModel)
  } catch (error) {
    if (error instanceof JsonScanError) return undefined
    throw error
  }
}

/** Only these two events say which model answered, or what the hosted service measured. */
function listEdits(json: Buffer, event: StreamEvent, requestedModel: string): JsonEdit[] {
  if (event['type'] === 'message_start') return modelEdits(json, requestedModel)
  if (event['type'] !== 'message_stop' || !(INVOCATION_METRICS in event)) return []
  const { members } = scanObject(json)
  return removeSpans(members, (index) => members[index]?.key === INVOCATION_METRICS)
}

function modelEdits(json: Buffer, requestedModel: string): JsonEdit[] {
  return scanObject(json)
    .members.filter((member) => member.key === 'message')
    .flatMap((message) => {
      const model = memberAt(json, message.valueStart, 'model')
      return model === undefined
        ? []
        : replaceSpan({ start: model.valueStart, end: model.end }, JSON.stringify(requestedModel))
    })
}

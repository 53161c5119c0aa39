/** Writes the events of one round into the stream of the whole turn: one message, blocks numbered on, searches as the client knows them. */
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import { applyEdits, replaceSpan } from '../../foundation/platform/json-spans-edit.ts'
import { memberAt } from '../../foundation/platform/json-spans-read.ts'
import type { StreamTranslator } from '../dialect.ts'
import { unreadableAnswer } from '../path-failures.ts'
import { type ResultContent, toClientCitation, toServerId } from './result-blocks.ts'
import {
  closeBlock,
  type Fields,
  isSearchCall,
  noteDelta,
  type OpenBlock,
  openBlock,
  type RoundContent,
  startRoundContent,
} from './round-content.ts'
import { laterUsage } from './sum-usage.ts'

export interface RoundStream extends StreamTranslator {
  readonly content: RoundContent
  /** Of this round alone. */
  readonly usage: () => Fields
  /** The number that the next block gets. */
  readonly nextIndex: () => number
  readonly addResult: (callId: string, content: ResultContent) => void
  /** The last events of the turn. */
  readonly addEnd: (usage: Fields, stopReason: string | null) => void
}

const directly = { type: 'direct' }
const unsaidEnd: Fields = { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null } }

/** `base` writes each event in the client's form and notes its facts; `firstIndex` is 0 only in the first round. */
export function createRoundStream(base: StreamTranslator, isFirst: boolean, firstIndex: number): RoundStream {
  const content = startRoundContent()
  const blocks = new Map<unknown, { readonly block: OpenBlock; readonly index: number }>()
  let written: Buffer[] = []
  let usage: Fields = {}
  let index = firstIndex
  /** Of all its pieces together: a message may tell its end in several. */
  let lastDelta: Fields | undefined

  const write = (event: Fields): void => {
    written.push(Buffer.from(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`))
  }

  const onBlockStart = (event: Fields, sse: Buffer): void => {
    const start = asFields(event['content_block'])
    const place = { block: openBlock(start), index: index++ }
    blocks.set(event['index'], place)
    if (!isSearchCall(start)) {
      written.push(renumbered(sse, event, place.index))
      return
    }
    const call = { ...start, type: 'server_tool_use', id: toServerId(String(start['id'])), caller: directly }
    write({ ...event, index: place.index, content_block: call })
  }

  const onBlockDelta = (event: Fields, sse: Buffer): void => {
    const place = blocks.get(event['index'])
    const delta = asFields(event['delta'])
    if (place !== undefined) noteDelta(place.block, delta)
    const at = place?.index ?? index
    if (delta['type'] !== 'citations_delta') written.push(renumbered(sse, event, at))
    else write({ ...event, index: at, delta: { ...delta, citation: toClientCitation(delta['citation']) } })
  }

  const onBlockStop = (event: Fields, sse: Buffer): void => {
    const place = blocks.get(event['index'])
    if (place !== undefined) closeBlock(content, place.block)
    written.push(renumbered(sse, event, place?.index ?? index))
  }

  const onEvent = (event: Fields, sse: Buffer): void => {
    switch (event['type']) {
      case 'message_start':
        usage = asFields(asFields(event['message'])['usage'])
        if (isFirst) written.push(sse)
        return
      case 'content_block_start':
        onBlockStart(event, sse)
        return
      case 'content_block_delta':
        onBlockDelta(event, sse)
        return
      case 'content_block_stop':
        onBlockStop(event, sse)
        return
      case 'message_delta':
        usage = laterUsage(usage, asFields(event['usage']))
        lastDelta = lastDelta === undefined ? event : laterUsage(lastDelta, event)
        return
      case 'message_stop':
        return
      default: {
        // Not known yet, but what has the number of a block is about that block.
        const place = blocks.get(event['index'])
        written.push(place === undefined ? sse : renumbered(sse, event, place.index))
      }
    }
  }

  return {
    content,
    usage: () => usage,
    nextIndex: () => index,
    isComplete: base.isComplete,
    facts: base.facts,
    add: (...given): ProviderFailure | undefined => {
      const failure = base.add(...given)
      if (failure !== undefined) return failure
      const sse = base.take()
      if (sse.length === 0) return undefined
      const event = findEvent(sse)
      if (event === undefined) return unreadableAnswer
      onEvent(event, sse)
      return undefined
    },
    take: () => {
      const bytes = Buffer.concat(written)
      written = []
      return bytes
    },
    addResult: (callId, result) => {
      const block = {
        type: 'web_search_tool_result',
        tool_use_id: toServerId(callId),
        content: result,
        caller: directly,
      }
      write({ type: 'content_block_start', index, content_block: block })
      write({ type: 'content_block_stop', index })
      index += 1
    },
    addEnd: (total, stopReason) => {
      const last = lastDelta ?? unsaidEnd
      const delta = asFields(last['delta'])
      const ended = stopReason === null ? delta : { ...delta, stop_reason: stopReason }
      write({ ...last, delta: ended, usage: total })
      write({ type: 'message_stop' })
    },
  }
}

const DATA = Buffer.from('\ndata: ')

function findData(sse: Buffer): { readonly start: number; readonly end: number } {
  return { start: sse.indexOf(DATA) + DATA.length, end: sse.length - 2 }
}

function findEvent(sse: Buffer): Fields | undefined {
  const { start, end } = findData(sse)
  try {
    return asFields(JSON.parse(sse.toString('utf8', start, end)))
  } catch {
    return undefined
  }
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/** The event as it came, with another number: what the gateway does not change is not written anew. */
function renumbered(sse: Buffer, event: Fields, index: number): Buffer {
  if (event['index'] === index) return sse
  const member = memberAt(sse, sse.indexOf('{', findData(sse).start), 'index')
  if (member === undefined) return sse
  return Buffer.concat(applyEdits(sse, [replaceSpan({ start: member.valueStart, end: member.end }, String(index))]))
}

/** Writes the events of one round into the stream of the whole turn: one message, blocks numbered on, searches as the client knows them. */
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
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
    // Only plain characters: a type with a line break in it must not be able to write lines of its own.
    const name = String(event['type']).replace(/[^\w.-]/g, '')
    written.push(Buffer.from(`event: ${name}\ndata: ${JSON.stringify(event)}\n\n`))
  }

  /** What the gateway does not change goes out as it came. */
  const writeAt = (place: number, event: Fields, asItCame: Buffer): void => {
    if (event['index'] === undefined || event['index'] === place) written.push(asItCame)
    else write({ ...event, index: place })
  }

  const onBlockStart = (event: Fields, asItCame: Buffer): void => {
    const start = asFields(event['content_block'])
    const place = { block: openBlock(start), index: index++ }
    blocks.set(event['index'], place)
    if (!isSearchCall(start)) {
      writeAt(place.index, event, asItCame)
      return
    }
    const call = { ...start, type: 'server_tool_use', id: toServerId(String(start['id'])), caller: directly }
    write({ ...event, index: place.index, content_block: call })
  }

  const onBlockDelta = (event: Fields, asItCame: Buffer): void => {
    const place = blocks.get(event['index'])
    const delta = asFields(event['delta'])
    if (place !== undefined) noteDelta(place.block, delta)
    const at = place?.index ?? index
    if (delta['type'] !== 'citations_delta') writeAt(at, event, asItCame)
    else write({ ...event, index: at, delta: { ...delta, citation: toClientCitation(delta['citation']) } })
  }

  const onBlockStop = (event: Fields, asItCame: Buffer): void => {
    const place = blocks.get(event['index'])
    if (place !== undefined) closeBlock(content, place.block)
    writeAt(place?.index ?? index, event, asItCame)
  }

  const onEvent = (event: Fields, asItCame: Buffer): void => {
    switch (event['type']) {
      case 'message_start':
        usage = asFields(asFields(event['message'])['usage'])
        if (isFirst) written.push(asItCame)
        return
      case 'content_block_start':
        onBlockStart(event, asItCame)
        return
      case 'content_block_delta':
        onBlockDelta(event, asItCame)
        return
      case 'content_block_stop':
        onBlockStop(event, asItCame)
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
        if (place === undefined) written.push(asItCame)
        else writeAt(place.index, event, asItCame)
      }
    }
  }

  return {
    content,
    usage: () => usage,
    nextIndex: () => index,
    isComplete: base.isComplete,
    facts: base.facts,
    add: (bytes, start, end, frameStart, frameEnd): ProviderFailure | undefined => {
      const failure = base.add(bytes, start, end, frameStart, frameEnd)
      if (failure !== undefined) return failure
      const asItCame = base.take()
      if (asItCame.length === 0) return undefined
      const event = parseEvent(bytes.toString('latin1', start, end))
      if (event === undefined) return unreadableAnswer
      onEvent(event, asItCame)
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

function parseEvent(base64: string): Fields | undefined {
  try {
    return asFields(JSON.parse(Buffer.from(base64, 'base64').toString('utf8')))
  } catch {
    return undefined
  }
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

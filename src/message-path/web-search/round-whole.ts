/** Reads one whole answer of a turn with searches, and writes the turn as one answer in the end. */
import { findMember, type JsonObject, scanObject } from '../../foundation/platform/json-spans.ts'
import { applyEdits, insertAt, type JsonEdit, replaceSpan } from '../../foundation/platform/json-spans-edit.ts'
import { elementsAt } from '../../foundation/platform/json-spans-read.ts'
import type { TranslatedAnswer } from '../dialect.ts'
import { type ResultContent, toClientCitation, toServerId } from './result-blocks.ts'
import { type Fields, isSearchCall, noteBlock, type RoundContent, startRoundContent } from './round-content.ts'
import { isObject } from './sum-usage.ts'

export interface WholeRound {
  readonly bytes: Buffer
  readonly document: JsonObject
  readonly content: RoundContent
  /** The model's blocks in the client's form. */
  readonly shown: readonly string[]
  readonly usage: Fields
}

export function readWholeRound({ body }: TranslatedAnswer): WholeRound {
  const bytes = Buffer.concat(body)
  const document = scanObject(bytes)
  const content = startRoundContent()
  const list = findMember(document, 'content')
  const shown = (list === undefined ? [] : elementsAt(bytes, list.valueStart)).map(({ start, end }) => {
    const json = bytes.toString('utf8', start, end)
    const block = findFields(json)
    if (block === undefined) return json
    noteBlock(content, block, json)
    return toShown(block) ?? json
  })
  const usage = findMember(document, 'usage')
  const read = usage && findFields(bytes.toString('utf8', usage.valueStart, usage.end))
  return { bytes, document, content, shown, usage: read ?? {} }
}

function findFields(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : undefined
  } catch {
    // failure-modes: unreadable usage. A block or a count with a wrong escape is passed on as it came.
    return undefined
  }
}

/** Undefined when the block is shown as it came. */
function toShown(block: Fields): string | undefined {
  if (isSearchCall(block))
    return JSON.stringify({
      ...block,
      type: 'server_tool_use',
      id: toServerId(String(block['id'])),
      caller: { type: 'direct' },
    })
  if (!Array.isArray(block['citations'])) return undefined
  return JSON.stringify({ ...block, citations: block['citations'].map(toClientCitation) })
}

export function toShownResult(callId: string, content: ResultContent): string {
  const tool_use_id = toServerId(callId)
  return JSON.stringify({ type: 'web_search_tool_result', tool_use_id, content, caller: { type: 'direct' } })
}

/** The last round's answer with everybody's blocks: what else it says is about the end of the turn. */
export function joinWhole(
  { bytes, document }: WholeRound,
  shown: readonly string[],
  usage: Fields,
  stopReason: string | null,
): Pick<TranslatedAnswer, 'body' | 'bytes'> {
  const edits: JsonEdit[] = []
  const set = (key: string, json: string): void => {
    const member = findMember(document, key)
    edits.push(
      member === undefined
        ? insertAt(document.start + 1, `${JSON.stringify(key)}:${json},`)
        : replaceSpan({ start: member.valueStart, end: member.end }, json),
    )
  }
  set('content', `[${shown.join(',')}]`)
  set('usage', JSON.stringify(usage))
  if (stopReason !== null) set('stop_reason', JSON.stringify(stopReason))
  const body = applyEdits(bytes, edits)
  return { body, bytes: body.reduce((sum, piece) => sum + piece.length, 0) }
}

/**
 * Tells a model that takes no form for its answer which one is wanted, as the last of its instructions: a program that
 * reads JSON from the answer would find prose.
 */
import { findMember } from '../../foundation/platform/json-spans.ts'
import { insertAt, type JsonEdit, replaceSpan } from '../../foundation/platform/json-spans-edit.ts'
import {
  elementsAt,
  isArrayAt,
  isStringAt,
  memberAt,
  stringMemberAt,
} from '../../foundation/platform/json-spans-read.ts'
import type { MessagesBody } from './message-blocks.ts'

const OPENING =
  'Your final answer must be one JSON value and nothing else: no words before or after it, and no code fence around it. It must be valid against this JSON schema:\n'

export interface ToldFormat {
  readonly edits: readonly JsonEdit[]
  /** A further member for the head of the document, where it has no instructions yet. */
  readonly head: string
}

/** The place in `output_config` is the newer one, and wins. */
export function findAnswerSchema({ bytes, document }: MessagesBody): string | undefined {
  const config = findMember(document, 'output_config')
  const format = (config && memberAt(bytes, config.valueStart, 'format')) ?? findMember(document, 'output_format')
  if (format === undefined || stringMemberAt(bytes, format.valueStart, 'type') !== 'json_schema') return undefined
  const schema = memberAt(bytes, format.valueStart, 'schema')
  return schema && bytes.toString('utf8', schema.valueStart, schema.end)
}

/** At the end, so that what is cached of the instructions stays as it is. */
export function tellFormat(body: MessagesBody, schema: string): ToldFormat {
  const { bytes, document } = body
  const text = JSON.stringify(OPENING + schema)
  const system = findMember(document, 'system')
  if (system === undefined) return { edits: [], head: `,"system":${text}` }
  const { valueStart, end } = system
  if (isArrayAt(bytes, valueStart)) {
    const comma = elementsAt(bytes, valueStart).length === 0 ? '' : ','
    return { edits: [insertAt(end - 1, `${comma}{"type":"text","text":${text}}`)], head: '' }
  }
  const edit = isStringAt(bytes, valueStart)
    ? insertAt(end - 1, `\\n\\n${text.slice(1, -1)}`)
    : replaceSpan({ start: valueStart, end }, text)
  return { edits: [edit], head: '' }
}

/** What is done for the client when a feature cannot be had, beside leaving its fields out. */
import { findMember } from '../../foundation/platform/json-spans.ts'
import type { FieldChange } from '../../foundation/platform/json-spans-fields.ts'
import { elementsAt, memberAt, stringMemberAt } from '../../foundation/platform/json-spans-read.ts'
import { findAnswerSchema } from './answer-format.ts'
import { breakpointEdits, findBreakpoint } from './end-breakpoint.ts'
import type { Substitute } from './feature-table.ts'
import type { MessagesRequest } from './read-request.ts'
import { mayContain } from './request-watch.ts'

/** The part of a plan in the making that substitutes write to. */
export interface SubstituteDraft {
  readonly input: { readonly request: MessagesRequest }
  readonly changes: (readonly [path: string, change: FieldChange])[]
  readonly repairs: string[]
  /** As it will be sent. */
  readonly maxTokens: number | null
  systemMessages: 'keep' | 'as-user-text'
  toolReferences: 'keep' | 'as-text'
  /** In whose place another one is sent. */
  thinkingType: string | undefined
  breakpoint: string | undefined
}

const FORMAT_TOLD = 'told the form of the answer as text: the model takes it in no other way'

export function substitute(what: Substitute, draft: SubstituteDraft, takesTtl: () => boolean): void {
  const { request } = draft.input
  switch (what) {
    case 'system-messages-as-user-text':
      if (!mayBeInMessages('system', request)) return
      draft.systemMessages = 'as-user-text'
      draft.repairs.push('put system messages into user text: the model takes none')
      return
    case 'tool-references-as-text':
      if (mayContain(request, 'messages.tool_name')) draft.toolReferences = 'as-text'
      return
    case 'thinking-adaptive':
      changeThinking('adaptive', '', draft)
      draft.repairs.push('asked for adaptive thinking: the model takes no thinking budget')
      return
    case 'thinking-enabled': {
      const budget = findThinkingBudget(draft)
      if (budget === undefined) {
        draft.changes.push(['thinking', { kind: 'remove' }])
        keepThinkingBlocks(draft)
      } else changeThinking('enabled', `,"budget_tokens":${budget}`, draft)
      draft.repairs.push('asked for thinking with a budget: the model knows no adaptive thinking')
      return
    }
    case 'tool-choice-auto':
      // What else it says, such as one call at a time, is about any choice.
      draft.changes.push(['tool_choice.type', { kind: 'replace', json: '"auto"' }])
      draft.changes.push(['tool_choice.name', { kind: 'remove' }])
      draft.repairs.push('left the choice of tools to the model: it takes no forced choice')
      return
    case 'answer-format-as-text':
      // Both rows may leave with one format.
      if (findAnswerSchema(request) !== undefined && !draft.repairs.includes(FORMAT_TOLD))
        draft.repairs.push(FORMAT_TOLD)
      return
    case 'breakpoint-at-the-end': {
      const breakpoint = findBreakpoint(request, takesTtl())
      if (breakpoint === undefined || breakpointEdits(request, breakpoint).length === 0) return
      draft.breakpoint = breakpoint
      draft.repairs.push('put a breakpoint of the cache at the end: the hosted service sets none by itself')
    }
  }
}

/** As a whole JSON string the word can only be a role or a type, a key or a very short text. */
export function mayBeInMessages(word: string, { bytes, document }: MessagesRequest): boolean {
  return document.members.some(({ key, valueStart, end }) => {
    if (key !== 'messages') return false
    const at = bytes.indexOf(`"${word}"`, valueStart)
    return at >= 0 && at < end
  })
}

const MIN_THINKING_TOKENS = 1024

/** The budget must be under `max_tokens`, and excludes a forced tool: where it cannot be had, there is no thinking. */
function findThinkingBudget({ maxTokens, input }: SubstituteDraft): number | undefined {
  const budget = (maxTokens ?? 0) - 1
  return budget < MIN_THINKING_TOKENS || input.request.forcesToolChoice ? undefined : budget
}

/** What else it says, such as whether thinking is shown, is about any type. */
function changeThinking(type: string, more: string, draft: SubstituteDraft): void {
  draft.changes.push(['thinking.type', { kind: 'replace', json: `"${type}"${more}` }])
  draft.changes.push(['thinking.budget_tokens', { kind: 'remove' }])
  draft.thinkingType = type
}

/** Edits of the context that clear thinking are refused where there is none. */
function keepThinkingBlocks(draft: SubstituteDraft): void {
  const { bytes, document } = draft.input.request
  const management = findMember(document, 'context_management')
  const edits = management && memberAt(bytes, management.valueStart, 'edits')
  if (edits === undefined) return
  const all = elementsAt(bytes, edits.valueStart)
  const others = all.filter(({ start }) => !stringMemberAt(bytes, start, 'type')?.startsWith('clear_thinking_'))
  if (others.length === all.length) return
  const json = `[${others.map(({ start, end }) => bytes.toString('utf8', start, end)).join(',')}]`
  draft.changes.push(['context_management.edits', { kind: 'replace', json }])
  draft.repairs.push('left out edits of the context that clear thinking: there is none')
}

import { createHash } from 'node:crypto'
import { isRecord } from '../json-value.ts'
import type { Answer, ContentBlock } from './answer.ts'
import { composeReply } from './compose-reply.ts'
import { readText, toBlocks, toList } from './prompt-segments.ts'
import { buildExample } from './schema-example.ts'
import { signThinking } from './thinking-signature.ts'
import { chooseToolCalls } from './tool-calls.ts'

type Body = Readonly<Record<string, unknown>>

/** Below this many tokens there is no room to think: capability probes ask for one token. */
const THINKING_ROOM_TOKENS = 64

export const fixedAnswer: Answer = {
  content: [{ type: 'text', text: 'This answer is always the same, so that serving it costs almost nothing.' }],
  stopReason: 'end_turn',
  stopSequence: null,
}

/** The same request always gets the same words. */
export function composeAnswer(body: Body): Answer {
  // Only the cache is filled.
  if (body['max_tokens'] === 0) return { content: [], stopReason: 'max_tokens', stopSequence: null }
  const seed = createHash('sha256')
    .update(JSON.stringify(body['messages'] ?? null))
    .digest()
  const asked = lastUserText(body)
  const thinking = isThinkingOn(body) ? [thinkAbout(body, asked)] : []
  const schema = structuredOutputSchema(body)
  if (schema) {
    const text = JSON.stringify(buildExample(schema, findTopic(asked)))
    return { content: [...thinking, { type: 'text', text }], stopReason: 'end_turn', stopSequence: null }
  }
  const calls = chooseToolCalls(body, asked, seed)
  if (calls.length > 0) {
    const lead =
      thinking.length > 0 || isForced(body) ? [] : [{ type: 'text', text: `I'll use ${listNames(calls)} for that.` }]
    return { content: [...thinking, ...lead, ...calls], stopReason: 'tool_use', stopSequence: null }
  }
  const text = composeReply({ asked, toolResult: lastToolResult(body), turns: toList(body['messages']).length, seed })
  return limitText(body, thinking, text)
}

function listNames(calls: readonly ContentBlock[]): string {
  return calls.map((call) => `\`${call['name']}\``).join(' and ')
}

/** Stops at a stop sequence, or at roughly the asked number of tokens. */
function limitText(body: Body, thinking: readonly ContentBlock[], text: string): Answer {
  const stops = toList(body['stop_sequences']).filter((stop) => typeof stop === 'string')
  const hits = stops.map((stop) => ({ stop, at: text.indexOf(stop) })).filter(({ at }) => at >= 0)
  const first = hits.sort((a, b) => a.at - b.at)[0]
  const stopped = first ? text.slice(0, first.at) : text
  const maximum = Number(body['max_tokens'] ?? 4096)
  const words = stopped.match(/\s*\S+/g) ?? []
  if (words.length * 1.3 > maximum) {
    const kept = words.slice(0, Math.max(1, Math.floor(maximum / 1.3))).join('')
    return { content: [...thinking, { type: 'text', text: kept }], stopReason: 'max_tokens', stopSequence: null }
  }
  return {
    content: [...thinking, { type: 'text', text: stopped }],
    stopReason: first ? 'stop_sequence' : 'end_turn',
    stopSequence: first?.stop ?? null,
  }
}

function isThinkingOn(body: Body): boolean {
  const thinking = body['thinking']
  return isRecord(thinking) && thinking['type'] !== 'disabled' && Number(body['max_tokens']) >= THINKING_ROOM_TOKENS
}

function thinkAbout(body: Body, asked: string): ContentBlock {
  const topic = findTopic(asked)
  const isOmitted = isRecord(body['thinking']) && body['thinking']['display'] === 'omitted'
  const tools = toList(body['tools']).length
  const thinking = isOmitted
    ? ''
    : `The user is asking about ${topic}. ${tools > 0 ? `I have ${tools} tools, but should only use one if it is needed. ` : ''}I'll keep the answer short and concrete.`
  return { type: 'thinking', thinking, signature: signThinking(thinking) }
}

function isForced(body: Body): boolean {
  const choice = body['tool_choice']
  return isRecord(choice) && (choice['type'] === 'any' || choice['type'] === 'tool')
}

function structuredOutputSchema(body: Body): Readonly<Record<string, unknown>> | undefined {
  const config = body['output_config']
  const format = isRecord(config) ? config['format'] : undefined
  const schema = isRecord(format) ? format['schema'] : undefined
  return isRecord(schema) ? schema : undefined
}

/** Clients put reminders of their own beside what the person typed; those are not the question. */
function lastUserText(body: Body): string {
  const message = toList(body['messages']).findLast((item) => isRecord(item) && item['role'] === 'user')
  const texts = toBlocks(isRecord(message) ? message['content'] : undefined)
    .filter((block) => isRecord(block) && block['type'] === 'text')
    .map((block) =>
      readText(block)
        .replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')
        .trim(),
    )
  return texts.findLast((text) => text !== '') ?? ''
}

function lastToolResult(body: Body): string | undefined {
  const message = toList(body['messages']).findLast((item) => isRecord(item) && item['role'] === 'user')
  const block = toBlocks(isRecord(message) ? message['content'] : undefined).findLast(
    (item) => isRecord(item) && item['type'] === 'tool_result',
  )
  return block === undefined ? undefined : readText(block)
}

function findTopic(asked: string): string {
  const line = asked.split('\n').find((part) => part.trim() !== '') ?? 'this'
  const bare = line.trim().replace(/[?!.\s]+$/, '')
  return bare.length > 80 ? `${bare.slice(0, 77).trimEnd()}…` : bare || 'this'
}

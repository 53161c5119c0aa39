import { isRecord } from '../json-value.ts'
import type { ContentBlock } from './answer.ts'
import { toBlocks, toList } from './prompt-segments.ts'
import { buildExample } from './schema-example.ts'

type Body = Readonly<Record<string, unknown>>
type OfferedTool = { readonly name: string; readonly schema: unknown }

/** Everyday requests that a coding assistant answers with a tool: what to look for, and where the words go. */
const intents: readonly { readonly tool: RegExp; readonly when: RegExp; readonly field: string }[] = [
  {
    tool: /^(bash|shell)$/i,
    when: /^\s*(?:please )?(?:run|execute)\s+`?(.+?)`?(?:,? please)?[.!]?\s*$/i,
    field: 'command',
  },
  { tool: /^web_?search$/i, when: /search (?:the web |online )?for (?:the query:? )?(.+?)[.?!]?$/i, field: 'query' },
  { tool: /^web_?fetch$/i, when: /(https?:\/\/[^\s)]+)/, field: 'url' },
  { tool: /^read$/i, when: /\bread\s+`?([\w./-]+\.\w+)`?/i, field: 'file_path' },
]

function intendedInput(asked: string, name: string): Body | undefined {
  const intent = intents.find(({ tool, when }) => tool.test(name) && when.test(asked))
  const words = intent?.when.exec(asked)?.[1]
  return intent === undefined || words === undefined ? undefined : { [intent.field]: words }
}

/** Which tools the model decides to call: those the choice forces, else those the person asks for by name. */
export function chooseToolCalls(body: Body, asked: string, seed: Buffer): readonly ContentBlock[] {
  const offered = toList(body['tools']).flatMap(toOfferedTool)
  const choice = isRecord(body['tool_choice']) ? body['tool_choice'] : { type: 'auto' }
  return chosenTools(choice, offered, body, asked).map((tool, index) => ({
    type: 'tool_use',
    id: `toolu_bdrk_01${seed.toString('hex').slice(index * 2, index * 2 + 22)}`,
    name: tool.name,
    input: givenInput(asked, tool.name) ?? exampleInput(tool, asked),
  }))
}

function chosenTools(choice: Body, offered: readonly OfferedTool[], body: Body, asked: string): readonly OfferedTool[] {
  if (choice['type'] === 'none') return []
  const asksFor = offered.filter((tool) => mentions(asked, tool.name) || intendedInput(asked, tool.name) !== undefined)
  if (choice['type'] === 'tool') return offered.filter((tool) => tool.name === choice['name'])
  if (choice['type'] === 'any') return asksFor.length > 0 ? asksFor : offered.slice(0, 1)
  return isAnsweringTool(body) ? [] : asksFor.slice(0, choice['disable_parallel_tool_use'] === true ? 1 : 4)
}

function toOfferedTool(tool: unknown): readonly OfferedTool[] {
  if (!isRecord(tool) || typeof tool['name'] !== 'string') return []
  return [{ name: tool['name'], schema: tool['input_schema'] ?? { type: 'object' } }]
}

function isAnsweringTool(body: Body): boolean {
  const message = toList(body['messages']).findLast((item) => isRecord(item) && item['role'] === 'user')
  return toBlocks(isRecord(message) ? message['content'] : undefined).some(
    (block) => isRecord(block) && block['type'] === 'tool_result',
  )
}

/** Names such as Read or Write are also plain words: those count only next to "tool", "use", "call" or "run". */
function mentions(asked: string, name: string): boolean {
  const word = name.replace(/[^\w]/g, '\\$&')
  if (
    new RegExp(
      `\`${word}\`|\\b(?:use|using|call|run|invoke)\\s+(?:the\\s+)?${word}\\b|\\b${word}\\s+tool\\b`,
      'i',
    ).test(asked)
  )
    return true
  const isPlainWord = /^[A-Z]?[a-z]+$/.test(name)
  return !isPlainWord && new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(asked)
}

/** `call get_weather {"city":"Paris"}` calls the tool with exactly that input. */
function givenInput(asked: string, name: string): Body | undefined {
  const from = asked.indexOf('{', asked.indexOf(name))
  const to = asked.lastIndexOf('}')
  if (from < 0 || to < from) return undefined
  try {
    const parsed: unknown = JSON.parse(asked.slice(from, to + 1))
    return isRecord(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

function exampleInput(tool: OfferedTool, asked: string): Body {
  const example = buildExample(tool.schema, shortTopic(asked))
  return { ...(isRecord(example) ? example : {}), ...intendedInput(asked, tool.name) }
}

function shortTopic(asked: string): string {
  return asked.replace(/\s+/g, ' ').trim().slice(0, 60) || 'example'
}

/**
 * Request bodies of a given size in the shape of the client's own: blocks of a system prompt, tools with their schemas, and turns
 * of thinking, tool calls and numbered lines of files. As in every real session some characters are outside of Latin-1, which
 * decides how dear the text is for whoever parses it.
 */

export interface BodyForm {
  /** Fields in front of the shared ones: they differ between the client's and the hosted form. */
  readonly head: Readonly<Record<string, unknown>>
}

export const messagesForm = (stream: boolean): BodyForm => ({ head: { model: 'claude-sonnet-5', stream } })
export const hostedForm: BodyForm = { head: { anthropic_version: 'bedrock-2023-05-31' } }
/** Portkey takes the model for the hosted id as it is. */
export const portkeyForm = (stream: boolean): BodyForm => ({
  head: { model: 'us.anthropic.claude-sonnet-5', stream },
})

const cached = { cache_control: { type: 'ephemeral' } } as const

/** The client offers two dozen tools; fewer where they would be most of the body. */
const MOST_TOOLS = 24
const BYTES_PER_TOOL = 4_000

export function requestBody({ head }: BodyForm, bytes: number): Buffer {
  const messages: unknown[] = [
    { role: 'user', content: [{ type: 'text', text: 'Why does this return -1 for my list? → see src/gaps.ts' }] },
  ]
  const body = {
    ...head,
    messages,
    system: [
      { type: 'text', text: 'You are a careful engineer.', ...cached },
      { type: 'text', text: prose(Math.min(12_000, bytes / 8)), ...cached },
    ],
    tools: Array.from({ length: Math.min(MOST_TOOLS, Math.floor(bytes / BYTES_PER_TOOL)) }, (_, index) => tool(index)),
    metadata: { user_id: '{"device_id":"5d1c","account_uuid":"","session_id":"5f0c2c1e-6f1b-4a7e-9d2b-0d6a6f9c1b11"}' },
    max_tokens: 32_000,
  }
  const text = JSON.stringify(body)
  let missing = bytes - Buffer.byteLength(text)
  for (let index = 0; missing > 0; index += 1) {
    const turn = buildTurn(index, missing)
    missing -= Buffer.byteLength(JSON.stringify(turn)) - 1
    messages.push(...turn)
  }
  return Buffer.from(JSON.stringify(body))
}

const names = ['Read', 'Edit', 'Bash', 'Grep', 'Glob', 'Write', 'Task', 'WebFetch']

/** About 1.5 KB each. */
function tool(index: number): unknown {
  const property = (what: string) => ({ type: 'string', description: `The ${what} that it works on. ${prose(80)}` })
  return {
    name: `${names[index % names.length]}${index < names.length ? '' : index}`,
    description: prose(700),
    input_schema: {
      type: 'object',
      properties: {
        file_path: property('file'),
        command: property('command'),
        limit: { type: 'number', description: 'How many lines — all unless told' },
        replace_all: { type: 'boolean', default: false },
      },
      required: ['file_path'],
      additionalProperties: false,
    },
  }
}

const THINKING_BYTES = 400
const SIGNATURE_BYTES = 600
const FILE_BYTES = 2_600

/** What the model thought and called, and what came back. The last turns are smaller, so that the size is met. */
function buildTurn(index: number, room: number): readonly unknown[] {
  if (room < 2_000) return [{ role: 'assistant', content: [{ type: 'text', text: prose(room - 80) }] }]
  const id = `toolu_bdrk_01${String(index).padStart(22, '0')}`
  const used = {
    type: 'tool_use',
    id,
    name: 'Edit',
    input: { file_path: `/src/gaps-${index}.ts`, old_string: code(200), new_string: code(300), replace_all: false },
  }
  const thinking = {
    type: 'thinking',
    thinking: prose(THINKING_BYTES),
    signature: Buffer.alloc((SIGNATURE_BYTES * 3) / 4, `signature ${index}`).toString('base64'),
  }
  const result = { type: 'tool_result', tool_use_id: id, content: numbered(Math.min(FILE_BYTES, room - 1_900)) }
  return [
    { role: 'assistant', content: [thinking, { type: 'text', text: prose(120) }, used] },
    { role: 'user', content: [result] },
  ]
}

const sentence =
  'The list is empty when nothing was read — then the first gap has no time before it, so “-1” is right. '
const lines = [
  'export function firstGap(times: readonly number[], limitMs: number): number {',
  '  for (let index = 1; index < times.length; index += 1) {',
  '    if (times[index] - times[index - 1] > limitMs) return index // "gap" found',
  '  }',
  '  return -1',
  '}',
]

function prose(bytes: number): string {
  return sentence.repeat(Math.ceil(bytes / Buffer.byteLength(sentence))).slice(0, Math.max(1, Math.floor(bytes * 0.95)))
}

function code(bytes: number): string {
  const once = `${lines.join('\n')}\n`
  return once.repeat(Math.ceil(bytes / once.length)).slice(0, bytes)
}

/** A file as the client's reading tool gives it back. */
function numbered(bytes: number): string {
  let text = ''
  for (let index = 1; text.length < bytes; index += 1)
    text += `${String(index).padStart(6)}→${lines[index % lines.length]}\n`
  return text.slice(0, Math.max(1, bytes))
}

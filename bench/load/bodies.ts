/** Request bodies of a given size that look like a coding session: a system prompt, a few tools, many turns of text and code. */

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

const code =
  'export function firstGap(times: readonly number[], limitMs: number): number {\n' +
  '  for (let index = 1; index < times.length; index += 1) {\n' +
  '    if (times[index] - times[index - 1] > limitMs) return index // "gap" found\n  }\n  return -1\n}\n'

const tools = ['Read', 'Edit', 'Bash'].map((name) => ({
  name,
  description: `${name} works on the files of the project. Paths are absolute.`,
  input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}))

export function requestBody({ head }: BodyForm, bytes: number): Buffer {
  const messages: unknown[] = []
  const shared = { max_tokens: 4096, system: 'You are a careful engineer. Answer briefly.', tools }
  const size = (): number => Buffer.byteLength(JSON.stringify({ ...head, ...shared, messages }))
  const turn = (index: number, text: string): void => {
    messages.push({ role: index % 2 === 0 ? 'user' : 'assistant', content: [{ type: 'text', text }] })
  }
  turn(0, 'Why does this return -1 for my list?')
  const missing = bytes - size()
  const turns = Math.max(1, 2 * Math.floor(missing / 8_000))
  for (let index = 1; index <= turns; index += 1) turn(index, filler(missing / turns, index))
  return Buffer.from(JSON.stringify({ ...head, ...shared, messages }))
}

/** Text that takes about this many bytes inside JSON. */
function filler(bytes: number, index: number): string {
  const escaped = JSON.stringify(code).length
  const once = `Turn ${index}.\n${code}`
  return once.repeat(Math.ceil(bytes / escaped)).slice(0, Math.max(1, Math.floor(bytes * (code.length / escaped)) - 45))
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toEvents } from '../stream/message-events.ts'
import { composeAnswer } from './answer-content.ts'

const weather = {
  name: 'get_weather',
  input_schema: {
    type: 'object',
    properties: { city: { type: 'string' }, unit: { enum: ['C', 'F'] }, days: { type: 'integer', minimum: 2 } },
    required: ['city', 'unit', 'days'],
  },
}
const write = {
  name: 'Write',
  input_schema: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] },
}
const ask = (content: unknown, extra: Record<string, unknown> = {}) =>
  composeAnswer({ max_tokens: 1000, messages: [{ role: 'user', content }], ...extra })

test('the same request gets the same words, another one gets others', () => {
  assert.deepEqual(ask('Explain recursion'), ask('Explain recursion'))
  assert.notDeepEqual(ask('Explain recursion').content, ask('Explain monads').content)
})

test('a tool is called when the person names it, with an input that fits its schema', () => {
  const answer = ask('Please use get_weather for me', { tools: [weather, write] })
  assert.equal(answer.stopReason, 'tool_use')
  const call = answer.content.at(-1)
  assert.equal(call?.['name'], 'get_weather')
  assert.deepEqual(call?.['input'], { city: 'Paris', unit: 'C', days: 2 })
})

test('everyday requests reach the usual tools with the words in the right place', () => {
  const stringTool = (name: string, field: string) => ({
    name,
    input_schema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  })
  const tools = [stringTool('Bash', 'command'), stringTool('WebSearch', 'query'), stringTool('Read', 'file_path')]
  const calls = (text: string) =>
    ask(text, { tools }).content.flatMap((block) =>
      block.type === 'tool_use' ? [[block['name'], block['input']]] : [],
    )
  assert.deepEqual(calls('run echo hi please'), [['Bash', { command: 'echo hi' }]])
  assert.deepEqual(calls('Search the web for tide tables?'), [['WebSearch', { query: 'tide tables' }]])
  assert.deepEqual(calls('Could you read src/main.ts and explain it'), [['Read', { file_path: 'src/main.ts' }]])
  assert.deepEqual(calls('How do I run a marathon'), [])
})

test('a given JSON input is used as it is', () => {
  const call = ask('call get_weather {"city":"Oslo"}', { tools: [weather] }).content.at(-1)
  assert.deepEqual(call?.['input'], { city: 'Oslo' })
})

test('a tool whose name is an ordinary word is not called by accident', () => {
  assert.equal(ask('Write a poem about the sea', { tools: [write] }).stopReason, 'end_turn')
  assert.equal(ask('Use the Write tool now', { tools: [write] }).stopReason, 'tool_use')
})

test('a forced choice calls the tool without being asked, and none never does', () => {
  assert.equal(
    ask('hi', { tools: [weather], tool_choice: { type: 'tool', name: 'get_weather' } }).content[0]?.type,
    'tool_use',
  )
  assert.equal(ask('use get_weather', { tools: [weather], tool_choice: { type: 'none' } }).stopReason, 'end_turn')
})

test('after a tool result comes a text that quotes it', () => {
  const answer = composeAnswer({
    max_tokens: 1000,
    tools: [weather],
    messages: [
      { role: 'user', content: 'use get_weather' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'get_weather', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: '17 degrees' }] },
    ],
  })
  assert.equal(answer.stopReason, 'end_turn')
  assert.match(String(answer.content[0]?.['text']), /17 degrees/)
})

test('thinking comes first when it is on, and can be left without words', () => {
  const [first] = ask('Why is the sky blue?', { thinking: { type: 'adaptive' } }).content
  assert.equal(first?.type, 'thinking')
  assert.ok(String(first?.['thinking']).length > 20 && String(first?.['signature']).length > 40)
  const [silent] = ask('Why?', { thinking: { type: 'adaptive', display: 'omitted' } }).content
  assert.equal(silent?.['thinking'], '')
})

test('one token is enough for a probe, and a stop sequence ends the text', () => {
  const probe = ask('Explain recursion', { max_tokens: 1, thinking: { type: 'adaptive' } })
  assert.equal(probe.stopReason, 'max_tokens')
  assert.match(String(probe.content[0]?.['text']), /^\S+$/)
  const whole = String(ask('Explain recursion').content[0]?.['text'])
  const word = whole.split(' ')[3] ?? ''
  const stopped = ask('Explain recursion', { stop_sequences: [word] })
  assert.deepEqual([stopped.stopReason, stopped.stopSequence], ['stop_sequence', word])
  assert.equal(stopped.content[0]?.['text'], whole.slice(0, whole.indexOf(word)))
})

test('a structured answer is JSON that follows the schema', () => {
  const schema = {
    type: 'object',
    properties: { title: { type: 'string' }, isNew: { type: 'boolean' } },
    required: ['title', 'isNew'],
  }
  const answer = ask('Name this chat', { output_config: { format: { type: 'json_schema', schema } } })
  assert.deepEqual(JSON.parse(String(answer.content[0]?.['text'])), { title: 'Name this chat', isNew: false })
})

test('the pieces of a stream add up to the message, wide characters and white space included', () => {
  const text = '  Zwei  Wörter\n\n```ts\nlet a = "😀😀"\n```  '
  const input = { emoji: '😀'.repeat(40), nested: { list: [1, 2, 3] } }
  const answer = {
    content: [
      { type: 'text', text },
      { type: 'tool_use', id: 't', name: 'n', input },
    ],
    stopReason: 'tool_use',
    stopSequence: null,
  }
  const events = toEvents({
    id: 'm',
    model: 'x',
    answer,
    startUsage: undefined,
    deltaUsage: undefined,
    safeguardResults: undefined,
    metrics: {},
  })
  const deltas = events
    .filter((event) => event.type === 'content_block_delta')
    .map((event) => event['delta'] as Record<string, string>)
  assert.equal(deltas.map((delta) => delta['text'] ?? '').join(''), text)
  const pieces = deltas.map((delta) => Buffer.from(delta['partial_json'] ?? '', 'utf8').toString('utf8'))
  assert.deepEqual(JSON.parse(pieces.join('')), input)
})

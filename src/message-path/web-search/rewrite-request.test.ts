import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanObject } from '../../foundation/platform/json-spans.ts'
import { rewriteRequest } from './rewrite-request.ts'

interface Block {
  readonly type: string
  readonly [field: string]: unknown
}

interface Message {
  readonly role: string
  readonly content: string | readonly Block[]
}

function rewritten(body: object | string, tool: 'replace' | 'leave' = 'leave') {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const result = rewriteRequest({ bytes, document: scanObject(bytes) }, tool)
  return { ...result, sent: bytes, text: result.bytes.toString() }
}

const writeMessages = (body: object): readonly Message[] => JSON.parse(rewritten(body).text).messages

const call = (id: string, query = 'tides'): Block => ({
  type: 'server_tool_use',
  id: `srvtoolu_${id}`,
  name: 'web_search',
  input: { query },
})
const found = (id: string, text = 'At noon.'): Block => ({
  type: 'web_search_tool_result',
  tool_use_id: `srvtoolu_${id}`,
  content: [
    {
      type: 'web_search_result',
      url: 'https://a.example/',
      title: 'Tides',
      page_age: '2 days ago',
      encrypted_content: `cw1.${Buffer.from(text).toString('base64url')}`,
    },
  ],
})
const failed = (id: string, code: string): Block => ({
  type: 'web_search_tool_result',
  tool_use_id: `srvtoolu_${id}`,
  content: { type: 'web_search_tool_result_error', error_code: code },
})
const text = (words: string, more: object = {}): Block => ({ type: 'text', text: words, ...more })
const user = (content: Message['content']): Message => ({ role: 'user', content })
const assistant = (...content: Block[]): Message => ({ role: 'assistant', content })

const shape = (messages: readonly Message[]) =>
  messages.map(({ role, content }) => [role, typeof content === 'string' ? content : content.map(({ type }) => type)])

test('a body that says nothing of searches is the very same bytes', () => {
  const { bytes, sent } = rewritten({ messages: [user('Hello'), assistant(text('Hi')), user([text('Bye')])] })
  assert.equal(bytes, sent)
})

test('what stands beside a search is not written anew', () => {
  const block = '{"type":"text","text":"\\u0041","big":12345678901234567890,  "2":1,"1":2}'
  const search = JSON.stringify(call('1'))
  const result = JSON.stringify(found('1'))
  const { text: out } = rewritten(
    `{ "messages": [{"role":"user","content":"x"}, {"role":"assistant","content":[${block},${search},${result}]}], "z": 1.0}`,
  )
  assert.ok(out.includes(block))
  assert.ok(out.startsWith('{ "messages": [{"role":"user","content":"x"}, '))
  assert.ok(out.endsWith(', "z": 1.0}'))
})

test('results close a round: calls and results alternate in the right roles', () => {
  const messages = writeMessages({
    messages: [
      user('When?'),
      assistant(
        text('Look.'),
        call('1'),
        call('2'),
        found('1'),
        found('2'),
        text('Again.'),
        call('3'),
        found('3'),
        text('Noon.'),
      ),
      user('Thanks'),
    ],
  })
  assert.deepEqual(shape(messages), [
    ['user', 'When?'],
    ['assistant', ['text', 'tool_use', 'tool_use']],
    ['user', ['tool_result', 'tool_result']],
    ['assistant', ['text', 'tool_use']],
    ['user', ['tool_result']],
    ['assistant', ['text']],
    ['user', 'Thanks'],
  ])
})

test('the model reads title, address, age and text of each result', () => {
  const [, , result] = writeMessages({ messages: [user('When?'), assistant(call('1'), found('1')), user('And?')] })
  assert.deepEqual(result?.content, [
    {
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      content: [
        {
          type: 'search_result',
          source: 'https://a.example/',
          title: 'Tides',
          content: [{ type: 'text', text: '(2 days ago) At noon.' }],
          citations: { enabled: true },
        },
      ],
    },
    { type: 'text', text: 'And?' },
  ])
})

test('a client that brings sources or a fixed form of its own gets plain text instead of citable blocks', () => {
  for (const more of [
    { system: [{ type: 'document' }] },
    { output_config: { format: { type: 'json_schema', schema: {} } } },
    { messages: [user([{ type: 'search_result' }]), assistant(call('1'), found('1')), user('And?')] },
  ]) {
    const body = { messages: [user('When?'), assistant(call('1'), found('1')), user('And?')], ...more }
    const { form, text: out } = rewritten(body)
    assert.equal(form, 'plain')
    assert.ok(out.includes('1. Tides\\nhttps://a.example/\\n(2 days ago) At noon.'))
  }
})

test('results that another service has sealed keep title and address', () => {
  const foreign = {
    ...found('1'),
    content: [
      {
        type: 'web_search_result',
        url: 'https://a.example/',
        title: 'Tides',
        encrypted_content: 'EqgfCioIARgBIiQ3YTAwMjY1',
      },
    ],
  }
  const [, , result] = writeMessages({ messages: [user('When?'), assistant(call('1'), foreign), user('And?')] })
  assert.match(JSON.stringify(result?.content), /"content":\[\{"type":"text","text":"Tides"\}\]/)
})

test('errors are told in words, and a search without a result counts as failed', () => {
  const messages = writeMessages({
    messages: [
      user('When?'),
      assistant(call('1'), failed('1', 'max_uses_exceeded'), text('Then'), call('2')),
      user('And?'),
    ],
  })
  const results = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_result'),
  )
  assert.deepEqual(
    results.map(({ tool_use_id, is_error }) => [tool_use_id, is_error]),
    [
      ['toolu_1', true],
      ['toolu_2', true],
    ],
  )
  assert.match(String(results[0]?.['content']), /no more searches/)
})

test('results of a mixed turn stand before the client’s own, also behind a system message', () => {
  const mixed = assistant(call('1'), { type: 'tool_use', id: 'toolu_9', name: 'Bash', input: {} }, found('1'))
  const own = user([{ type: 'tool_result', tool_use_id: 'toolu_9', content: 'ok' }])
  const system = { role: 'system', content: 'note' }
  for (const between of [[], [system]]) {
    const messages = writeMessages({ messages: [user('Go'), mixed, ...between, own] })
    assert.deepEqual(shape(messages), [
      ['user', 'Go'],
      ['assistant', ['tool_use', 'tool_use']],
      ...between.map(() => ['system', 'note']),
      ['user', ['tool_result', 'tool_result']],
    ])
  }
})

test('a history that ends with results goes on from there', () => {
  assert.deepEqual(shape(writeMessages({ messages: [user('When?'), assistant(call('1'), found('1'))] })), [
    ['user', 'When?'],
    ['assistant', ['tool_use']],
    ['user', ['tool_result']],
  ])
})

test('breakpoints of the cache stay where the client put them', () => {
  const cache_control = { type: 'ephemeral' }
  const messages = writeMessages({
    messages: [
      user('When?'),
      assistant(
        { ...call('1'), cache_control },
        { ...found('1'), cache_control },
        text('Noon.', { cache_control, citations: [{ type: 'web_search_result_location' }] }),
      ),
    ],
  })
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  assert.deepEqual(
    blocks.map(({ type, cache_control: kept, citations }) => [type, kept, citations]),
    [
      ['tool_use', cache_control, undefined],
      ['tool_result', cache_control, undefined],
      ['text', cache_control, undefined],
    ],
  )
})

test('the tool is replaced in its place, and what is said of caching and loading stays', () => {
  const tools = [
    { name: 'A', input_schema: {} },
    {
      type: 'web_search_20250305',
      name: 'web_search',
      max_uses: 3,
      cache_control: { type: 'ephemeral' },
      defer_loading: true,
    },
    { name: 'B', input_schema: {} },
  ]
  const { tool, text: out } = rewritten({ messages: [user('x')], tools }, 'replace')
  const written = JSON.parse(out).tools as readonly Readonly<Record<string, unknown>>[]
  assert.deepEqual(
    written.map(({ name }) => name),
    ['A', 'web_search', 'B'],
  )
  assert.deepEqual(
    [written[1]?.['cache_control'], written[1]?.['defer_loading'], written[1]?.['type']],
    [{ type: 'ephemeral' }, true, undefined],
  )
  assert.equal(tool?.maxUses, 3)
})

test('a very long history costs no more than its length', () => {
  const ids = Array.from({ length: 30_000 }, (_, index) => String(index))
  const calls = ids.map((id) => call(id))
  const results = ids.map((id) => failed(id, 'unavailable'))
  const oneTurn = [assistant(...calls, ...results.toReversed())]
  const manyTurns = [...calls, ...calls, ...calls].map((one) => assistant(one))
  for (const messages of [oneTurn, manyTurns]) {
    const before = process.cpuUsage()
    rewritten({ messages })
    assert.ok(process.cpuUsage(before).user < 5_000_000)
  }
})

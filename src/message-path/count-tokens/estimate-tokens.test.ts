import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  estimateInputTokens,
  IMAGE_TOKENS,
  PDF_PAGE_BYTES,
  PDF_PAGE_TOKENS,
  SERVER_TOOL_TOKENS,
  TOKENS_PER_MESSAGE,
  TOKENS_PER_TOOL,
  TOOLS_BASE_TOKENS,
} from './estimate-tokens.ts'
import { makeTools, userSays } from './sample-bodies.fixture.ts'

const estimate = (body: unknown): number => estimateInputTokens(Buffer.from(JSON.stringify(body)))
const estimateBlocks = (...content: unknown[]): number => estimate({ messages: [{ role: 'user', content }] })
const base64Of = (bytes: number): string => 'A'.repeat(Math.ceil(bytes / 3) * 4)

test('escapes inside strings count as the characters they stand for', () => {
  const text = 'first line\n\tsecond "quoted" line, C:\\temp \u00fcber <tag> \u4e2d\u6587 \ud83d\ude80'
  const spelt = JSON.stringify(userSays(text))
  const escaped = spelt.replace(/[^\x20-\x7e]|[<>]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const inEscapes = estimateInputTokens(Buffer.from(escaped))
  assert.notEqual(spelt, escaped)
  assert.equal(inEscapes, estimateInputTokens(Buffer.from(spelt)))
})

test('an image costs the same whatever its data weighs', () => {
  const image = (bytes: number): unknown => ({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: base64Of(bytes) },
  })
  assert.equal(estimateBlocks(image(100)), TOKENS_PER_MESSAGE + IMAGE_TOKENS)
  assert.equal(estimateBlocks(image(3_000_000), image(300)), TOKENS_PER_MESSAGE + 2 * IMAGE_TOKENS)
  assert.equal(
    estimateBlocks({ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }),
    TOKENS_PER_MESSAGE + IMAGE_TOKENS,
  )
})

test('an image inside a tool result costs an image, also when its type comes last', () => {
  const image = { source: { data: base64Of(9_000), media_type: 'image/png', type: 'base64' }, type: 'image' }
  const tokens = estimateBlocks({ type: 'tool_result', tool_use_id: 'toolu_1', content: [image] })
  assert.equal(tokens, TOKENS_PER_MESSAGE + IMAGE_TOKENS)
})

test('a PDF costs a page at least and grows with its size up to a bound', () => {
  const pdf = (bytes: number): number =>
    estimateBlocks({
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: base64Of(bytes) },
    }) - TOKENS_PER_MESSAGE
  assert.equal(pdf(2_000), PDF_PAGE_TOKENS)
  assert.ok(Math.abs(pdf(10 * PDF_PAGE_BYTES) - 10 * PDF_PAGE_TOKENS) <= 1)
  assert.equal(pdf(200 * PDF_PAGE_BYTES), 100 * PDF_PAGE_TOKENS)
})

test('a document given as text or as blocks costs its text', () => {
  const text = 'The quick brown fox jumps over the lazy dog. '.repeat(40)
  const asText = estimateBlocks({ type: 'text', text })
  const source = { type: 'text', media_type: 'text/plain', data: text }
  assert.equal(estimateBlocks({ type: 'document', source }), asText)
  const blocks = { type: 'content', content: [{ type: 'text', text }] }
  assert.equal(estimateBlocks({ type: 'document', source: blocks }), asText)
})

test('ids, signatures and cache marks cost nothing', () => {
  const bare = estimateBlocks({ type: 'thinking', thinking: 'Let me see.' })
  const dressed = { type: 'thinking', thinking: 'Let me see.', signature: 'Eq'.repeat(500), id: 'msg_0123456789' }
  assert.equal(estimateBlocks({ ...dressed, cache_control: { type: 'ephemeral', ttl: '1h' } }), bare)
})

test('only system, messages and tools count; the rest of a request does not', () => {
  const body = { system: 'Be brief.', messages: [{ role: 'user', content: 'Hello there' }], tools: makeTools(2) }
  const rest = { model: 'claude-opus-4-8', max_tokens: 64_000, stream: true, metadata: { user_id: 'u'.repeat(300) } }
  assert.equal(estimate({ ...rest, ...body, thinking: { type: 'adaptive' } }), estimate(body))
})

test('tools bring their instructions once and a frame each', () => {
  const without = estimate(userSays('hi'))
  const one = estimate({ ...userSays('hi'), tools: [{ name: 'a', input_schema: {} }] })
  const two = estimate({ ...userSays('hi'), tools: Array(2).fill({ name: 'a', input_schema: {} }) })
  assert.ok(one - without >= TOOLS_BASE_TOKENS + TOKENS_PER_TOOL)
  assert.ok(two - one >= TOKENS_PER_TOOL && two - one < TOOLS_BASE_TOKENS)
  assert.equal(estimate({ ...userSays('hi'), tools: [] }), without)
})

test('a tool that is loaded later is not in the prompt, and a server tool brings its own definition', () => {
  const tool = { name: 'lookup', description: 'Looks things up. '.repeat(50), input_schema: { type: 'object' } }
  const without = estimate(userSays('hi'))
  assert.equal(estimate({ ...userSays('hi'), tools: [{ ...tool, defer_loading: true }] }), without)
  assert.ok(estimate({ ...userSays('hi'), tools: [{ ...tool, defer_loading: false }] }) > without + TOOLS_BASE_TOKENS)
  const search = { type: 'web_search_20250305', name: 'web_search' }
  assert.ok(estimate({ ...userSays('hi'), tools: [search] }) > without + TOOLS_BASE_TOKENS + SERVER_TOOL_TOKENS)
})

test('the words of a tool call and of an unknown block are counted', () => {
  const words = 'alpha beta gamma delta '.repeat(50)
  const input = { path: '/tmp/a', content: words, flags: [true, null, 12.5], nested: { more: words } }
  assert.ok(estimateBlocks({ type: 'tool_use', id: 'toolu_1', name: 'Write', input }) > 400)
  assert.ok(estimateBlocks({ type: 'bash_result', stdout: words, stderr: '', return_code: 0 }) > 200)
})

test('nonsense and cut bodies end with a number', () => {
  const whole = Buffer.from(
    JSON.stringify({ system: [{ type: 'text', text: 'a "b" \\ ü 中' }], ...userSays('x\ny'), tools: makeTools(1) }),
  )
  const estimates = Array.from({ length: whole.length }, (_, end) => estimateInputTokens(whole.subarray(0, end)))
  assert.ok(estimates.every((tokens) => Number.isSafeInteger(tokens) && tokens >= 0))
  for (const text of ['', '[]', 'null', '{', '{"messages":', '{"messages":[}]', '{"a"}', '{"system":"\\u12', '}}}']) {
    assert.ok(estimateInputTokens(Buffer.from(text)) >= 0, text)
  }
})

test('deep nesting does not exhaust the stack', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const content = `{"messages":[{"content":[{"type":"tool_use","input":${deep},"content":${deep}}]}],"tools":[{"x":${deep}}]}`
  assert.ok(estimateInputTokens(Buffer.from(content)) > 0)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  MAX_PLAUSIBLE_TOKENS,
  mergeInvocationMetrics,
  mergeUsage,
  mergeUsageHeaders,
  readUsage,
  startUsageReading,
} from './usage-reading.ts'

function after(...usages: unknown[]) {
  const reading = startUsageReading()
  for (const usage of usages) mergeUsage(reading, usage)
  return readUsage(reading)
}

test('later reports win and an absent or null count erases nothing', () => {
  const read = after(
    { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 7, cache_creation_input_tokens: 4 },
    { output_tokens: 50, input_tokens: null },
    undefined,
    'nonsense',
  )
  assert.deepEqual(read, {
    usage: { inputTokens: 10, outputTokens: 50, cacheReadTokens: 7, cacheWrite5mTokens: 4, cacheWrite1hTokens: 0 },
    webSearches: 0,
    clamped: false,
    reported: true,
  })
})

test('cache writes are split by lifetime, and what the split leaves open is the short one', () => {
  const split = { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 5 }
  assert.deepEqual(after({ cache_creation_input_tokens: 8, cache_creation: split }).usage.cacheWrite1hTokens, 5)
  assert.deepEqual(after({ cache_creation_input_tokens: 8, cache_creation: split }).usage.cacheWrite5mTokens, 3)
  assert.deepEqual(after({ cache_creation_input_tokens: 10, cache_creation: split }).usage.cacheWrite5mTokens, 5)
  assert.deepEqual(after({ cache_creation: split }).usage.cacheWrite5mTokens, 3)
})

test('summaries of the conversation are charged beside the answer, by the last report of them', () => {
  const iteration = (type: string, input: number, output: number) => ({
    type,
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: 5,
    cache_creation_input_tokens: 2,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 2 },
  })
  const summary = iteration('compaction', 1_000, 30)
  const read = after(
    { input_tokens: 10, output_tokens: 1, iterations: [summary] },
    { output_tokens: 50, iterations: [summary, iteration('message', 10, 50), summary] },
    { iterations: [] },
  )
  assert.deepEqual(read, {
    usage: {
      inputTokens: 2_010,
      outputTokens: 110,
      cacheReadTokens: 10,
      cacheWrite5mTokens: 0,
      cacheWrite1hTokens: 4,
    },
    webSearches: 0,
    clamped: false,
    reported: true,
  })
  assert.equal(after({ input_tokens: 1, iterations: [iteration('compaction', -3, 1), 'x', null] }).clamped, true)
})

for (const odd of [-1, 1e12, '12', 'NaN', 1.5, {}, true, '']) {
  test(`an odd count (${JSON.stringify(odd)}) is flagged and stays in range`, () => {
    const read = after({ input_tokens: odd, output_tokens: 1 })
    assert.equal(read.clamped, true)
    assert.ok(Number.isInteger(read.usage.inputTokens))
    assert.ok(read.usage.inputTokens >= 0 && read.usage.inputTokens <= MAX_PLAUSIBLE_TOKENS)
  })
  if (odd !== '12') {
    test(`an odd count (${JSON.stringify(odd)}) never replaces a sane one`, () => {
      const read = after({ input_tokens: 77, output_tokens: 1 }, { input_tokens: odd })
      assert.equal(read.usage.inputTokens, 77)
      assert.equal(read.clamped, true)
    })
  }
}

test('what is out of range is charged up to the most that is plausible, and never below nothing', () => {
  const input = (tokens: unknown) => after({ input_tokens: tokens }).usage.inputTokens
  assert.deepEqual([-1, 1.5, 1e12, 'NaN', {}].map(input), [0, 1, MAX_PLAUSIBLE_TOKENS, 0, 0])
  assert.equal(after({ input_tokens: MAX_PLAUSIBLE_TOKENS }).clamped, false)
  assert.equal(after({ input_tokens: MAX_PLAUSIBLE_TOKENS + 1 }).clamped, true)
})

test('cache writes of a summary are charged by their lifetime too', () => {
  const summary = { type: 'compaction', input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 6 }
  const { usage } = after({ input_tokens: 1, cache_creation_input_tokens: 4, iterations: [summary] })
  assert.deepEqual([usage.cacheWrite5mTokens, usage.cacheWrite1hTokens], [10, 0])
})

test('a number in quotes is taken, flagged', () => {
  assert.equal(after({ input_tokens: '12' }).usage.inputTokens, 12)
})

test('metrics and headers of the hosted service fill only what is open', () => {
  const reading = startUsageReading()
  mergeUsage(reading, { output_tokens: 9 })
  mergeInvocationMetrics(reading, { inputTokenCount: 5, outputTokenCount: 1000, cacheReadInputTokenCount: 3 })
  mergeUsageHeaders(reading, {
    'x-amzn-bedrock-input-token-count': '999',
    'x-amzn-bedrock-cache-write-input-token-count': '4',
  })
  assert.deepEqual(readUsage(reading).usage, {
    inputTokens: 5,
    outputTokens: 9,
    cacheReadTokens: 3,
    cacheWrite5mTokens: 4,
    cacheWrite1hTokens: 0,
  })
})

test('an answer without usage is charged by the headers alone, of which an empty one says nothing', () => {
  const reading = startUsageReading()
  mergeUsageHeaders(reading, {
    'x-amzn-bedrock-input-token-count': '12',
    'x-amzn-bedrock-output-token-count': '34',
    'x-amzn-bedrock-cache-read-input-token-count': '',
  })
  assert.deepEqual(readUsage(reading), {
    usage: { inputTokens: 12, outputTokens: 34, cacheReadTokens: 0, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0 },
    webSearches: 0,
    clamped: false,
    reported: true,
  })
  mergeInvocationMetrics(reading, null)
  assert.equal(readUsage(reading).usage.inputTokens, 12)
})

test('says when input or output was never reported', () => {
  assert.equal(after({ output_tokens: 5 }).reported, false)
  assert.equal(after({ input_tokens: 5 }).reported, false)
  assert.equal(after().reported, false)
  assert.equal(after({ input_tokens: 5 }, { output_tokens: 0 }).reported, true)
})

test('server-side searches are counted', () => {
  assert.equal(after({ server_tool_use: { web_search_requests: 2 } }).webSearches, 2)
})

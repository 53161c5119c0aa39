import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimateInputTokens } from './estimate-tokens.ts'
import { makeTools, sampleBodies, userSays } from './sample-bodies.fixture.ts'

test('a body of 100 KB takes well under 10 ms', (t) => {
  const filler = sampleBodies().filter((sample) => sample.className === 'TypeScript')
  const text = filler.map(({ body }) => body.messages[0]?.content).join('\n')
  const body = Buffer.from(JSON.stringify({ ...userSays(text.repeat(3).slice(0, 60_000)), tools: makeTools(25) }))
  assert.ok(body.length > 90_000)
  let bestMs = Number.POSITIVE_INFINITY
  for (let round = 0; round < 60; round += 1) {
    const startMs = performance.now()
    estimateInputTokens(body)
    bestMs = Math.min(bestMs, performance.now() - startMs)
  }
  t.diagnostic(`${body.length} bytes in ${bestMs.toFixed(3)} ms`)
  assert.ok(bestMs < 10, `${bestMs} ms`)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTraceparent } from './traces.ts'

const trace = '0af7651916cd43dd8448eb211c80319c'
const span = 'b7ad6b7169203331'

test('a traceparent is read as W3C Trace Context says, and one that is malformed counts as none', () => {
  assert.deepEqual(parseTraceparent(`00-${trace}-${span}-01`), { traceId: trace, spanId: span, sampled: true })
  assert.deepEqual(parseTraceparent(`00-${trace}-${span}-00`)?.sampled, false)
  assert.deepEqual(parseTraceparent(`00-${trace}-${span}-03`)?.sampled, true, 'other flags do not matter')
  assert.deepEqual(parseTraceparent(`cc-${trace}-${span}-01-later`)?.sampled, true, 'later versions may say more')
  const malformed = [
    undefined,
    '',
    ['00'],
    `ff-${trace}-${span}-01`,
    `00-${trace}-${span}-01-more`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace}-${span}`,
  ]
  for (const header of malformed) assert.equal(parseTraceparent(header), undefined, String(header))
})

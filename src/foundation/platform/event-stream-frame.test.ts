import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventStreamFrame } from './event-stream-frame.ts'

test('an exception frame has the bytes that the service itself sends', () => {
  const frame = eventStreamFrame(
    {
      ':exception-type': 'throttlingException',
      ':content-type': 'application/json',
      ':message-type': 'exception',
    },
    '{"message":"slow down"}',
  )
  assert.equal(
    frame.toString('hex'),
    '0000008800000061de0175f40f3a657863657074696f6e2d747970650700137468726f74746c696e67457863657074696f6e0d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d74797065070009657863657074696f6e7b226d657373616765223a22736c6f7720646f776e227d832ee072',
  )
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AnswerHandler, HostedCall } from '../../src/foundation/domain/model-host.ts'
import { type FakedPath, startFakedPath } from './faked-path.ts'
import { hello, parseEvents, post } from './path-client.ts'
import { events } from './stream-mutants.ts'

const nothing = (): void => undefined

let path: FakedPath

/** A path whose ledger takes nothing, and whose hosted service answers at once. */
before(async () => {
  path = await startFakedPath({
    host: { stream: answerAtOnce },
    ledger: { append: () => Promise.reject(new Error('no journal, no database')) },
  })
})

after(() => path.stop())

function answerAtOnce(_call: HostedCall, handler: AnswerHandler) {
  setImmediate(() => {
    handler.onHead(200, {})
    for (const event of events.slice(0, 3)) emit(handler, event)
    handler.onReadEnd()
    for (const event of events.slice(3)) emit(handler, event)
    handler.onReadEnd()
    handler.onEnd()
  })
  return { pause: nothing, resume: nothing, abort: nothing }
}

function emit(handler: AnswerHandler, event: string): void {
  const bytes = Buffer.from(Buffer.from(event).toString('base64'))
  handler.onData(bytes, 0, bytes.length, 0, bytes.length)
}

test('a stream whose record cannot be kept ends with an error and leaves nothing open', async () => {
  const response = await post(path, 'any', { ...hello, stream: true })
  assert.equal(response.status, 200)
  const text = await response.text()
  assert.equal(parseEvents(text).at(-1)?.event, 'error')
  assert.doesNotMatch(text, /message_stop/)
  assert.equal(path.ports.overload.calls(), 0)
  assert.equal(path.ports.pings.openStreams(), 0)
})

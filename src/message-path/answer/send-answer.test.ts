import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import type { Exchange } from '../../foundation/domain/model-host.ts'
import { answerLimits } from './answer-limits.ts'
import { createClientDisconnects } from './client-disconnects.ts'
import { watchDisconnect } from './send-answer.ts'

function watched(maxDrains: number) {
  const response = Object.assign(new EventEmitter(), { destroyed: false, writableFinished: false })
  const disconnects = createClientDisconnects({ ...answerLimits, maxDrains })
  let aborts = 0
  const exchange: Exchange = {
    pause: () => undefined,
    resume: () => undefined,
    limitRest: () => undefined,
    abort: () => {
      aborts += 1
      return 'sent'
    },
  }
  const watch = watchDisconnect(response as unknown as ServerResponse, disconnects)
  return { watch, exchange, leave: () => response.emit('close'), aborts: () => aborts }
}

test('an answer that was given up before its call began is cancelled when it begins', () => {
  const { watch, exchange, leave, aborts } = watched(0)
  leave()
  watch.began(exchange)
  assert.equal(aborts(), 1)
  watch.done()
})

test('an answer with a place for reading on goes on when its call begins after its client has left', () => {
  const { watch, exchange, leave, aborts } = watched(1)
  leave()
  watch.began(exchange)
  assert.equal(aborts(), 0)
  watch.done()
})

test('what the end of the process has stopped does not begin again at another endpoint', () => {
  const { watch, exchange, aborts } = watched(1)
  watch.began(exchange)
  watch.abort()
  watch.began(exchange)
  assert.equal(aborts(), 2)
  assert.equal(watch.hasLeft(), false)
  watch.done()
})

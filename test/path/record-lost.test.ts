import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { answerLimits } from '../../src/data-plane/answer/answer-limits.ts'
import { createDepartures } from '../../src/data-plane/answer/departures.ts'
import { createPings, type Pings } from '../../src/data-plane/answer/pings.ts'
import { messagesDialect } from '../../src/data-plane/messages-dialect.ts'
import type { PathPorts } from '../../src/data-plane/path-ports.ts'
import { createMessagePath } from '../../src/data-plane/pipeline.ts'
import type { HostedStreamHandler } from '../../src/data-plane/ports.ts'
import { createOverloadGate, type OverloadGate } from '../../src/data-plane/receive/overload-gate.ts'
import { sampleCaller, sampleEndpoint, sampleMapping, sampleSnapshot } from '../../src/data-plane/sample-calls.ts'
import { readMessagesRequest } from '../../src/data-plane/translate/read-request.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { createLogging } from '../../src/platform/logger.ts'
import { hello, parseEvents, post } from './path-client.ts'
import { events } from './stream-mutants.ts'

let server: Server
let url = ''
let gate: OverloadGate
let pings: Pings

/** A path whose ledger takes nothing, and whose hosted service answers at once. */
before(async () => {
  gate = createOverloadGate()
  pings = createPings(systemClock, answerLimits)
  const serve = createMessagePath(portsWithoutLedger())
  server = createServer((request, response) =>
    serve(
      request,
      response,
      { requestId: 'req_1', params: {}, sourceAddress: '127.0.0.1', identify: () => undefined },
      { dialect: messagesDialect, read: readMessagesRequest },
    ),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

after(() => {
  pings.stop()
  server.closeAllConnections()
  server.close()
})

function portsWithoutLedger(): PathPorts {
  const snapshot = sampleSnapshot({
    endpoints: [sampleEndpoint('main', { isDefault: true })],
    mappings: [sampleMapping('claude-sonnet-5', 'anthropic.claude-sonnet-5')],
  })
  const nothing = (): void => undefined
  const exchange = { pause: nothing, resume: nothing, abort: nothing }
  const { log } = createLogging({ level: 'silent', format: 'json', write: nothing })
  const ports = {
    clock: systemClock,
    log,
    snapshot: { current: () => snapshot },
    whyNotReady: () => undefined,
    authenticate: () => sampleCaller('key'),
    overload: gate,
    profiles: { availableModels: () => undefined },
    conditions: {
      healthOf: () => 'healthy',
      coolingUntilMs: () => 0,
      claimTrial: () => false,
      recordAlive: nothing,
      recordSuccess: nothing,
      recordFailure: nothing,
      recordFailover: nothing,
    },
    capabilities: {
      verdict: () => 'unknown',
      learn: nothing,
      knownGoodBetas: () => new Set(),
      refusedFields: () => [],
    },
    host: {
      stream: (_call: unknown, handler: HostedStreamHandler) => {
        setImmediate(() => {
          handler.onHead({})
          for (const event of events.slice(0, 3)) emit(handler, event)
          handler.onReadEnd()
          for (const event of events.slice(3)) emit(handler, event)
          handler.onReadEnd()
          handler.onEnd()
        })
        return exchange
      },
    },
    mappings: { findDiscovered: () => undefined },
    budgets: { reserve: () => ({ kind: 'held', hold: null, view: null }) },
    ledger: { append: () => Promise.reject(new Error('no journal, no database')) },
    pings,
    departures: createDepartures(answerLimits),
    answerLimits,
    track: () => ({ done: nothing }),
    firstByteTimeoutMs: 1_000,
    meters: { served: nothing, refused: nothing, unrecorded: nothing },
    calibration: { shouldSample: () => false },
  }
  return ports as unknown as PathPorts
}

function emit(handler: HostedStreamHandler, event: string): void {
  const bytes = Buffer.from(Buffer.from(event).toString('base64'))
  handler.onEvent(bytes, 0, bytes.length, 0, bytes.length)
}

test('a stream whose record cannot be kept ends with an error and leaves nothing open', async () => {
  const response = await post({ url }, 'any', { ...hello, stream: true })
  assert.equal(response.status, 200)
  const text = await response.text()
  assert.equal(parseEvents(text).at(-1)?.event, 'error')
  assert.doesNotMatch(text, /message_stop/)
  assert.equal(gate.calls(), 0)
  assert.equal(pings.openStreams(), 0)
})

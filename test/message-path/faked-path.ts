/** Message and count paths over a real socket, with everything behind them faked: for moments that no whole gateway can be held in. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { AnswerHandler } from '../../src/foundation/domain/model-host.ts'
import type { RawContext } from '../../src/foundation/http/route.ts'
import { systemClock } from '../../src/foundation/platform/clock.ts'
import { createLogging } from '../../src/foundation/platform/logger.ts'
import { answerLimits } from '../../src/message-path/answer/answer-limits.ts'
import { createClientDisconnects } from '../../src/message-path/answer/client-disconnects.ts'
import { createPings } from '../../src/message-path/answer/pings.ts'
import { bedrockDialect } from '../../src/message-path/bedrock-dialect.ts'
import { createCountPath } from '../../src/message-path/count-path.ts'
import { messagesDialect } from '../../src/message-path/messages-dialect.ts'
import type { PathPorts } from '../../src/message-path/path-ports.ts'
import { createMessagePath } from '../../src/message-path/pipeline.ts'
import { createOverloadGate } from '../../src/message-path/receive/overload-gate.ts'
import {
  sampleCaller,
  sampleEndpoint,
  sampleMapping,
  sampleSnapshot,
} from '../../src/message-path/sample-calls.fixture.ts'
import { readCountTokensRequest, readMessagesRequest } from '../../src/message-path/translate/read-request.ts'
import { createCapabilities } from '../../src/modules/endpoints/capabilities.memory.ts'

export interface FakedPath {
  readonly url: string
  readonly ports: PathPorts
  /** Sends a whole request on a connection of its own, which the test may cut. */
  readonly send: (path: string, body: string) => Socket
  /** Clients that have left, as the path has seen it. */
  readonly departed: () => number
  readonly stop: () => void
}

/** Only what a test names in `given` may be asked for anything that matters. */
export async function startFakedPath(given: Readonly<Record<string, unknown>>): Promise<FakedPath> {
  const ports = { ...quietPorts(), ...given } as unknown as PathPorts
  const serveMessage = createMessagePath(ports)
  const count = createCountPath(ports)
  let calls = 0
  let departed = 0
  const server: Server = createServer((request, response) => {
    calls += 1
    response.once('close', () => {
      if (!response.writableFinished) departed += 1
    })
    const context: RawContext = {
      requestId: `req_${calls}`,
      params: {},
      sourceAddress: '127.0.0.1',
      identify: () => undefined,
      explain: () => undefined,
    }
    if (request.url === '/v1/messages')
      serveMessage(request, response, context, { dialect: messagesDialect, read: readMessagesRequest })
    else
      count(request, response, context, {
        dialect: request.url === '/bedrock/count' ? bedrockDialect : messagesDialect,
        read: readCountTokensRequest,
        toBody: (tokens) => ({ input_tokens: tokens }),
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    ports,
    send: (path, body) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      const length = Buffer.byteLength(body)
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: gateway\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`,
      )
      return socket
    },
    departed: () => departed,
    stop: () => {
      ports.pings.stop()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A piece of a whole answer, as the model host gives it. */
export function giveBody(handler: AnswerHandler, piece: Buffer): void {
  handler.onData(piece, 0, piece.length, 0, piece.length)
}

const nothing = (): void => undefined

function quietPorts() {
  const snapshot = sampleSnapshot({
    endpoints: [sampleEndpoint('main', { isDefault: true })],
    mappings: [sampleMapping('claude-sonnet-5', 'anthropic.claude-sonnet-5')],
  })
  return {
    clock: systemClock,
    log: createLogging({ level: 'silent', format: 'json', write: nothing }).log,
    snapshot: { current: () => snapshot },
    whyNotReady: () => undefined,
    authenticate: () => sampleCaller('key'),
    overload: createOverloadGate(),
    profiles: { availableModels: () => undefined, modelBehind: () => undefined },
    conditions: {
      findHealth: () => 'healthy',
      coolingUntilMs: () => 0,
      claimTrial: () => false,
      recordAlive: nothing,
      recordSuccess: nothing,
      recordFailure: nothing,
      recordFailover: nothing,
    },
    capabilities: createCapabilities(systemClock, () => []),
    routing: { findAffinity: () => undefined, setAffinity: nothing, nextTurn: () => 0 },
    mappings: { findDiscovered: () => undefined },
    budgets: { reserve: () => ({ kind: 'held', hold: null, view: null }) },
    ledger: { append: () => Promise.resolve() },
    pings: createPings(systemClock, answerLimits),
    disconnects: createClientDisconnects(answerLimits),
    answerLimits,
    track: () => ({ done: nothing }),
    firstByteTimeoutMs: 1_000,
    meters: { served: nothing, refused: nothing, unrecorded: nothing },
    calibration: { shouldSample: () => false, calibratedEstimate: (_model: string, tokens: number) => tokens },
    tracer: undefined,
    mayRecordRefusal: () => true,
    onCall: nothing,
  }
}

/**
 * A gateway that does next to nothing for a call, made of the gateway's own parts: no keys, limits, budgets, routes,
 * database, log or metrics. Each step does what the one before does and one thing more.
 * Arguments: step, port, port of the upstream, folder for the journal.
 */
import { hash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { createHttp1Client } from '../../src/bedrock/http1/http1-client.ts'
import { signHeaders } from '../../src/bedrock/sigv4.ts'
import { receiveBody } from '../../src/message-path/receive/receive-body.ts'
import { toMessagesResponse } from '../../src/message-path/translate/to-messages-response.ts'
import { openJournal } from '../../src/modules/spend/journal/journal.ts'
import type { FloorStep } from '../targets/target.ts'

const [step = '', port = '', upstreamPort = '', folder = ''] = process.argv.slice(2)
const host = `127.0.0.1:${upstreamPort}`
const path = '/model/us.anthropic.claude-sonnet-5/invoke'
const scope = { region: 'us-east-1', service: 'bedrock' }
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const record = JSON.stringify({ key: 'a key', model: 'claude-sonnet-5', input: 500, output: 100, nanoUsd: 3_000_000 })

const steps: readonly FloorStep[] = ['pass', 'hash', 'sign', 'journal']
const reaches = (name: FloorStep): boolean => steps.indexOf(step as FloorStep) >= steps.indexOf(name)
const hashes = reaches('hash')
const signs = reaches('sign')
const origin = createHttp1Client().origin(new URL(`http://${host}`))
const fail = (error: unknown): never => {
  throw error
}
const journal = reaches('journal')
  ? openJournal({ directory: folder, onFailure: fail, onRecovery: () => undefined })
  : undefined

createServer((request, response) => {
  if (request.method === 'GET') {
    response.end()
    return
  }
  const keeps = (): true => true
  receiveBody(request, keeps, () => () => undefined)
    .then((body) => passOn(body, response))
    .catch(fail)
}).listen(Number(port), '127.0.0.1')

async function passOn(body: Buffer, response: ServerResponse): Promise<void> {
  const plain = { host, 'content-type': 'application/json' }
  if (hashes && !signs) hash('sha256', body)
  const unsigned = { method: 'POST', path, query: {}, headers: plain, body: [body] }
  const headers = signs ? await signHeaders(unsigned, scope, credentials, Date.now()) : plain
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `POST ${path} HTTP/1.1\r\n${lines.join('')}content-length: ${body.length}\r\n\r\n`
  const answer: Buffer[] = []
  origin.send(
    { head, body: [body], firstByteTimeoutMs: 60_000 },
    {
      onHead: () => undefined,
      onData: (memory, start, end) => void answer.push(Buffer.from(memory.subarray(start, end))),
      onReadEnd: () => undefined,
      onEnd: () => {
        const whole = Buffer.concat(answer)
        const pieces = signs ? (toMessagesResponse(whole, 'claude-sonnet-5')?.body ?? fail('no answer')) : [whole]
        if (journal === undefined) send(response, pieces)
        else
          journal.append(record, (segment) => {
            if (segment === undefined) return
            journal.release(segment)
            send(response, pieces)
          })
      },
      onFailure: fail,
    },
  )
}

function send(response: ServerResponse, pieces: readonly Buffer[]): void {
  const text = pieces.map((piece) => piece.toString('latin1')).join('')
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(text.length) })
  response.end(text, 'latin1')
}

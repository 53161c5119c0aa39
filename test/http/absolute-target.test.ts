/** Targets that are a whole address (RFC 9112 3.2.2), on both listeners and both planes. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import http from 'node:http'
import https from 'node:https'
import { after, before, test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { addKey, login, startGateway, type TestGateway } from '../support/gateway.ts'
import { sendRaw } from '../support/raw-http.ts'

let gateway: TestGateway
let key = ''
let session = ''

before(async () => {
  gateway = await startGateway({
    env: { TLS_PORT: String(await freePort()) },
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
  session = await login(gateway.url)
})

after(() => gateway.stop())

interface Asked {
  readonly port: number
  readonly secure?: boolean
  readonly method?: string
  readonly token: string
  readonly body?: object
}

async function ask(target: string, asked: Asked): Promise<{ status: number; body: string }> {
  const request = (asked.secure === true ? https : http).request({
    host: '127.0.0.1',
    port: asked.port,
    path: target,
    method: asked.method ?? 'GET',
    agent: false,
    rejectUnauthorized: false,
    headers: { authorization: `Bearer ${asked.token}`, 'content-type': 'application/json' },
  })
  request.end(asked.body === undefined ? undefined : JSON.stringify(asked.body))
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  return { status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }
}

const hello = { model: 'claude-sonnet-5', max_tokens: 16, messages: [{ role: 'user', content: 'Hello' }] }

for (const secure of [false, true]) {
  const scheme = secure ? 'https' : 'http'

  test(`${scheme}: messages, models and administration answer a whole address like its path`, async () => {
    const port = secure ? gateway.app.tlsPort : gateway.port
    assert.ok(port !== null)
    const root = `${scheme}://gateway.example.com`
    const message = { port, secure, token: key, method: 'POST', body: hello }
    for (const target of ['/v1/messages', '/v1/messages?beta=true', '/model/us.anthropic.claude-sonnet-5/invoke']) {
      const { model: _, ...unnamed } = hello
      const body = target.startsWith('/model') ? { ...unnamed, anthropic_version: 'bedrock-2023-05-31' } : hello
      const answer = await ask(`${root}${target}`, { ...message, body })
      assert.equal(answer.status, 200, `${target} ${answer.body}`)
    }
    assert.equal((await ask(`${root}/v1/models`, { port, secure, token: key })).status, 200)
    const teams = await ask(`${root}/admin/teams?limit=1`, { port, secure, token: session })
    assert.equal(teams.status, 200, teams.body)
    assert.equal((await ask(`${root}/admin/teams?limit=none`, { port, secure, token: session })).status, 400)
    assert.equal((await ask(`${root}/nothing`, { port, secure, token: session })).status, 404)
  })
}

test('an address without a host, with a user or of another scheme is 400 and says what is wrong', async () => {
  for (const target of ['http:///health', 'http://user@x/health', 'http://x:99999/health', 'ftp://x/health', 'x:443']) {
    const answer = await sendRaw(gateway.port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    assert.equal(answer.status, 400, target)
    const { error } = JSON.parse(answer.body) as { error: { code: string } }
    assert.equal(error.code, 'invalid_request_line', target)
  }
})

test('a whole address still needs exactly one Host header', async () => {
  for (const hosts of ['', 'Host: x\r\nHost: y\r\n']) {
    const answer = await sendRaw(gateway.port, `GET http://x/health HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`)
    assert.equal(answer.status, 400, hosts)
  }
})

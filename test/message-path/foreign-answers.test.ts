import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { login } from '../support/gateway.ts'
import { asEvent, hello, post, requestIdOf } from './path-client.ts'
import { type RawGateway, startRawGateway } from './raw-gateway.ts'

let world: RawGateway
let admin = ''

before(async () => {
  world = await startRawGateway()
  admin = await login(world.gateway.url)
})
after(() => world.stop())

const words = 'Blocked by proxy07.corp.example (10.1.2.3), write to it@corp.example'
const leaked = /proxy07|corp\.example|10\.1\.2\.3|hunter2/
const page = `<html><h1>403</h1>\n<p>${words}</p> password=hunter2\u0007</html>`
const bodies: readonly (readonly [what: string, type: string, body: string])[] = [
  ['an HTML page', 'text/html', page],
  ['plain text', 'text/plain', `${words} password=hunter2`],
  ['JSON', 'application/json', JSON.stringify({ message: words, code: 'proxy07.corp.example', password: 'hunter2' })],
]
const hosted = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 5, messages: hello.messages }
const model = '/model/claude-sonnet-5'
const counted = { invokeModel: { body: Buffer.from(JSON.stringify(hosted)).toString('base64') } }
const requests: readonly (readonly [path: string, body: object])[] = [
  ['/v1/messages', hello],
  ['/v1/messages', { ...hello, stream: true }],
  ['/v1/messages/count_tokens', { model: hello.model, messages: hello.messages }],
  [`${model}/invoke`, hosted],
  [`${model}/invoke-with-response-stream`, hosted],
  [`${model}/count-tokens`, { input: counted }],
]

function logged(): readonly string[] {
  return world.gateway.logLines.filter((line) => line.includes('something other than Amazon Bedrock answered'))
}

for (const status of [403, 502])
  for (const [what, type, body] of bodies)
    test(`${what} of a proxy with status ${status} reaches the log, and no client and no record`, async () => {
      world.host.answer = (_path, response) => void response.writeHead(status, { 'content-type': type }).end(body)
      for (const [path, asked] of requests) {
        const linesBefore = logged().length
        const response = await post(world.gateway, world.key, asked, { path })
        const text = await response.text()
        assert.doesNotMatch(text, leaked, path)
        assert.doesNotMatch(JSON.stringify([...response.headers]), leaked, path)
        if (path.endsWith('tokens')) {
          assert.equal(response.status, 200, 'an estimate answers')
          continue
        }
        assert.match(text, /Something between the gateway and Amazon Bedrock, such as a proxy, answered with status/)
        const record = await asEvent(world.gateway, requestIdOf(response))
        assert.equal(record.status, status)
        assert.doesNotMatch(JSON.stringify(record), leaked, path)
        const [line, ...others] = logged().slice(linesBefore)
        assert.deepEqual(others, [])
        assert.match(line ?? '', /proxy07\.corp\.example/)
        assert.doesNotMatch(line ?? '', /hunter2|\\u0007|\\n/)
      }
    })

test('the reasons that administrators read about an endpoint hold no text of a proxy', async () => {
  world.host.answer = (_path, response) => void response.writeHead(502).end(page)
  await world.gateway.control.script({ times: null, behaviour: { html: { status: 502, body: page } } })
  const ask = async (method: string, path: string) => {
    const response = await fetch(`${world.gateway.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${admin}` },
    })
    return await response.text()
  }
  const { data } = JSON.parse(await ask('GET', '/admin/endpoints')) as { data: readonly { id: string }[] }
  const path = `/admin/endpoints/${data[0]?.id}`
  const linesBefore = logged().length
  const shown = [await ask('POST', `${path}/check`), await ask('GET', `${path}/models`), await ask('GET', path)]
  assert.match(shown[0] ?? '', /Something between the gateway and Amazon Bedrock/)
  for (const text of [...shown, await ask('GET', `${path}/quotas`)]) assert.doesNotMatch(text, leaked)
  assert.ok(logged().length > linesBefore)
  await world.gateway.control.clearScripts()
})

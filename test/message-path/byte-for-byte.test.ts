import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { chunkFrame } from '../bedrock/frames.ts'
import type { TestGateway } from '../support/gateway.ts'
import { post } from './path-client.ts'
import { startRawGateway } from './raw-gateway.ts'
import { answerWhole, type RawHost, streamHead } from './raw-host.ts'

let gateway: TestGateway
let host: RawHost
let key = ''
let stop: () => Promise<void>

before(async () => {
  ;({ gateway, host, key, stop } = await startRawGateway())
})

after(() => stop())

/** Every way in which reading and writing again would change a text. */
const odd =
  '{"2":1,"1":2,"10":3,"big":12345678901234567890123,"id":9007199254740993,"one":1.0,"exp":1E5,"neg":-0,"tiny":1e-400,' +
  '"esc":"\\u0041\\/\\u00e9\\ud83d\\ude00\\ud800 \\u2028","raw":"é😀\u2028\u007f","dup":1,"dup":2, "space" : [ 1 , 2 ],"empty":{},"__proto__":{"a":1}}'

const system = `[{"type":"text","text":"x-anthropic-billing-header: cc_version=1;"},{"text":"be \\u0062rief","type":"text","cache_control":{"type":"ephemeral"}}]`
const messages =
  `[ {"role":"user","content":[{"type":"text","text":"call it"}]},` +
  `{"content":[{"type":"thinking","thinking":"h\\u006dm\\n","signature":"EqQB/+\\/=="},{"signature":"x","type":"redacted_thinking","data":"AA=="},` +
  `{"type":"tool_use","id":"toolu_1","name":"f","input":${odd}}],"role":"assistant"},` +
  `{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"r"}],"is_error":false}]}\n]`
const tools = `[{"name":"f","description":"d","input_schema":{"type":"object","properties":{"2":{},"1":{}},"x-odd":${odd}}}]`
const metadata = `{"user_id":"{\\"device_id\\":\\"0\\"}"}`

test('a request arrives as it was written, but for the model, the stream flag and the version', async () => {
  for (const stream of ['true', 'false']) {
    host.answer = (_path, response) => answerWhole(response, '{"type":"message","usage":{}}')
    const body = `{"model":"claude-opus-4-8","system":${system},"messages":${messages},"stream":${stream},"tools":${tools},"metadata":${metadata},"max_tokens":64000,"unknown_field":${odd}}`
    await post(gateway, key, body)
    const sent = host.bodies.at(-1)?.toString() ?? ''
    for (const part of [
      `"system":${system}`,
      `"messages":${messages}`,
      `"tools":${tools}`,
      `"metadata":${metadata}`,
      `"max_tokens":64000`,
      `"unknown_field":${odd}`,
    ])
      assert.ok(sent.includes(part), `${part} is not in ${sent}`)
    assert.doesNotMatch(sent, /"model"|"stream"/)
    assert.match(sent, /"anthropic_version":"bedrock-2023-05-31"/)
    assert.equal(typeof JSON.parse(sent), 'object')
  }
})

test('bytes that are not UTF-8 are refused and go nowhere', async () => {
  const bad = Buffer.from([0xc3, 0x28, 0xff, 0xed, 0xa0, 0x80])
  const [before = '', after = ''] = JSON.stringify({
    model: 'claude-opus-4-8',
    max_tokens: 5,
    messages: [{ role: 'user', content: '<here>' }],
  }).split('<here>')
  const received = host.bodies.length
  const response = await post(gateway, key, Buffer.concat([Buffer.from(before), bad, Buffer.from(after)]))
  assert.equal(response.status, 400)
  assert.ok((await response.text()).includes(`invalid UTF-8 at byte ${Buffer.byteLength(before)}`))
  assert.equal(host.bodies.length, received)
})

test('a whole answer comes back as it was written, but for the model and the measurements of the hosted service', async () => {
  const answer = `{"id":"msg_1","type":"message","model":"us.x","content":[{"type":"thinking","thinking":"h\\u006dm","signature":"EqQB/+\\/=="},{"type":"tool_use","id":"t","name":"f","input":${odd}}] ,"usage":{"input_tokens":3,"output_tokens":4},"new":${odd},"amazon-bedrock-invocationMetrics":{"inputTokenCount":3}}`
  host.answer = (_path, response) => answerWhole(response, answer)
  const body = { model: 'claude-opus-4-8[1m]', max_tokens: 5, messages: [{ role: 'user', content: 'x' }] }
  const text = await (await post(gateway, key, body)).text()
  const expected = answer
    .replace('"us.x"', '"claude-opus-4-8[1m]"')
    .replace(',"amazon-bedrock-invocationMetrics":{"inputTokenCount":3}', '')
  assert.equal(text, expected)
})

const events = [
  `{"type":"message_start","message":{"id":"m","model":"us.x","content":[],"usage":{"input_tokens":9007199254740993,"x":${odd}}}}`,
  '{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}',
  '{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"\\u0041\\/é😀\\ud800"}}',
  '{"index":0,"type":"content_block_delta","delta":{"type":"signature_delta","signature":"EqQB/+\\/=="}}',
  '{"type":"content_block_stop","index":0}',
  `{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":${JSON.stringify(odd)}}}`,
  `{"type":"never_heard_of","payload":${odd}}`,
  `{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":1.0}}`,
  '{"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":3},"z":1}',
]

test('events come back as they were written, but for the model and the measurements', async () => {
  host.answer = (_path, response) => {
    response.writeHead(200, streamHead).end(Buffer.concat(events.map((event) => chunkFrame(event))))
  }
  const body = { model: 'claude-opus-4-8', max_tokens: 5, stream: true, messages: [{ role: 'user', content: 'x' }] }
  const text = await (await post(gateway, key, body)).text()
  const expected = events
    .map((event) =>
      event
        .replace('"us.x"', '"claude-opus-4-8"')
        .replace('"amazon-bedrock-invocationMetrics":{"inputTokenCount":3},', ''),
    )
    .map((event) => `event: ${(JSON.parse(event) as { type: string }).type}\ndata: ${event}\n\n`)
    .join('')
  assert.equal(text, expected)
})

test('in the hosted form frames pass unchanged, to the byte', async () => {
  const frames = Buffer.concat(events.map((event) => chunkFrame(event)))
  host.answer = (_path, response) => void response.writeHead(200, streamHead).end(frames)
  const hosted = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 5, messages: [{ role: 'user', content: 'x' }] }
  const path = '/model/us.anthropic.claude-opus-4-8/invoke-with-response-stream'
  const streamed = await post(gateway, key, hosted, { path })
  assert.deepEqual(Buffer.from(await streamed.arrayBuffer()), frames)
  const whole = `{"model":"us.x","content":[],"usage":{"input_tokens":1,"output_tokens":2},"n":${odd},"amazon-bedrock-invocationMetrics":{}}`
  host.answer = (_path, response) => answerWhole(response, whole)
  const answered = await post(gateway, key, hosted, { path: '/model/us.anthropic.claude-opus-4-8/invoke' })
  assert.equal(await answered.text(), whole)
})

test('in the hosted form an answer carries its figures and an id where libraries look for them', async () => {
  const whole = '{"model":"us.x","content":[],"usage":{"input_tokens":1,"output_tokens":2}}'
  host.answer = (_path, response) =>
    void response
      .writeHead(200, {
        'content-type': 'application/json',
        'x-amzn-requestid': 'of the hosted service',
        'x-amzn-bedrock-input-token-count': '1',
        'x-amzn-bedrock-output-token-count': '2',
        'x-amzn-bedrock-invocation-latency': 'long',
        'x-amzn-other': '7',
      })
      .end(whole)
  const hosted = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 5, messages: [{ role: 'user', content: 'x' }] }
  const { headers } = await post(gateway, key, hosted, { path: '/model/us.anthropic.claude-opus-4-8/invoke' })
  const own = [...headers].filter(([name]) => name.startsWith('x-amzn-'))
  assert.deepEqual(Object.fromEntries(own), {
    'x-amzn-requestid': headers.get('request-id'),
    'x-amzn-bedrock-input-token-count': '1',
    'x-amzn-bedrock-output-token-count': '2',
  })
  const refused = await post(gateway, key, hosted, { path: '/model/us.anthropic.claude-none-v1:0/invoke' })
  assert.equal(refused.status, 404)
  assert.equal(refused.headers.get('x-amzn-requestid'), refused.headers.get('request-id'))
  const count = '/model/us.anthropic.claude-opus-4-8/count-tokens'
  const wrapped = { input: { invokeModel: { body: Buffer.from(JSON.stringify(hosted)).toString('base64') } } }
  const others = [
    await post(gateway, key, wrapped, { path: count }),
    await post(gateway, key, {}, { path: count }),
    await fetch(`${gateway.url}/inference-profiles`, { headers: { 'x-api-key': key } }),
    await fetch(`${gateway.url}/inference-profiles/none`, { headers: { 'x-api-key': key } }),
  ]
  assert.deepEqual(
    others.map(({ status }) => status),
    [200, 400, 200, 404],
  )
  for (const other of others) assert.equal(other.headers.get('x-amzn-requestid'), other.headers.get('request-id'))
  const body = { model: 'claude-opus-4-8', max_tokens: 5, messages: [{ role: 'user', content: 'x' }] }
  const messages = await post(gateway, key, body)
  assert.deepEqual(
    [...messages.headers.keys()].filter((name) => name.startsWith('x-amzn-')),
    [],
  )
})

test('lines inside an event cannot become lines of the stream', async () => {
  const hostile = [
    '{"type":"message_start\\ndata: {}\\n\\nevent: message_stop","message":{}}',
    '{"type":"a\\r\\nb"}',
    '{"type":""}',
    '{"type":"x\\u2028y","data":"\\n\\nevent: message_stop\\ndata: {}\\n\\n"}',
    '{ "type" : "spaced" ,\n\n "a": 1 }',
    '{"type":"content_block_delta",\n\n"index":0,"delta":{"type":"text_delta","text":"x"}}',
  ]
  for (const event of hostile) {
    host.answer = (_path, response) => {
      response.writeHead(200, streamHead).end(Buffer.concat([events[0] ?? '', event].map((one) => chunkFrame(one))))
    }
    const body = { model: 'claude-opus-4-8', max_tokens: 5, stream: true, messages: [{ role: 'user', content: 'x' }] }
    const text = await (await post(gateway, key, body)).text()
    const parts = text.split('\n\n').filter((part) => part !== '')
    for (const part of parts) assert.match(part, /^event: [^\r\n]*\ndata: \{[^\r\n]*\}$/, JSON.stringify(text))
    assert.ok(!parts.some((part) => part.startsWith('event: message_stop')))
    assert.ok(parts.at(-1)?.startsWith('event: error'))
  }
})

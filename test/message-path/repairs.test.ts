import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Behaviour } from '../../simulator/behaviour.ts'
import type { LedgerEntry } from '../../simulator/ledger.ts'
import { addEndpoint, addKey, addTeam, startGateway, type TestGateway } from '../support/gateway.ts'
import { asEvent, hello, post, requestIdOf, untilTrue } from './path-client.ts'

/** A team with an endpoint of its own for every test, so that nothing learned in one is known in another. */
const fresh = 17

let gateway: TestGateway
const keys: string[] = []
/** Of a team with two endpoints. */
let pairKey = ''

before(async () => {
  gateway = await startGateway({
    simulatorSettings: { tokenMode: 'fingerprint' },
    prepare: async (database) => {
      for (let index = 0; index < fresh; index += 1) {
        const name = `endpoint-${index}`
        const endpointId = await addEndpoint(database, { name, region: 'us-east-1', routingPrefix: 'us' })
        const teamId = await addTeam(database, name, { strategy: 'primary_fallback', endpointIds: [endpointId] })
        keys.push((await addKey(database, { name, teamId })).key)
      }
      const endpointIds = [
        await addEndpoint(database, { name: 'east', region: 'us-east-1' }),
        await addEndpoint(database, { name: 'west', region: 'us-west-2' }),
      ]
      const teamId = await addTeam(database, 'pair', { strategy: 'primary_fallback', endpointIds })
      pairKey = (await addKey(database, { name: 'pair', teamId })).key
    },
  })
  await untilTrue(async () => (await gateway.control.ledger({ operation: 'ListInferenceProfiles' })).length >= fresh)
})

after(() => gateway.stop())

beforeEach(async () => {
  await gateway.control.clearScripts()
  await gateway.control.clearLedger()
})

async function calls(): Promise<LedgerEntry[]> {
  return (await gateway.control.ledger()).filter(({ operation }) => operation.startsWith('InvokeModel'))
}

function rejecting(behaviour: Behaviour): Promise<unknown> {
  return gateway.control.script({ match: { operation: 'invoke' }, times: null, behaviour })
}

const tools = [0, 1, 2, 3].map((index) => ({
  name: `tool_${index}`,
  description: 'A tool',
  input_schema: { type: 'object', properties: {} },
  ...(index === 3 ? { defer_loading: true } : {}),
}))

interface Case {
  readonly name: string
  readonly behaviour: Behaviour
  readonly body: Readonly<Record<string, unknown>>
  readonly betas: string
  readonly gone: RegExp
}

const cases: readonly Case[] = [
  {
    name: 'a beta that is refused by name',
    behaviour: { rejectBetas: { betas: ['novel-feature-2027-01-01'], named: true } },
    body: hello,
    betas: 'novel-feature-2027-01-01,context-1m-2025-08-07',
    gone: /novel-feature/,
  },
  {
    name: 'a beta that is refused without its name',
    behaviour: { rejectBetas: { betas: ['novel-feature-2027-01-01'] } },
    body: hello,
    betas: 'novel-feature-2027-01-01',
    gone: /novel-feature/,
  },
  {
    name: 'context_management',
    behaviour: { rejectFields: { paths: ['context_management'] } },
    body: {
      ...hello,
      thinking: { type: 'adaptive' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    },
    betas: 'context-management-2025-06-27',
    gone: /context[_-]management/,
  },
  {
    name: 'a field inside a tool',
    behaviour: { rejectFields: { paths: ['tools.*.custom.defer_loading'] } },
    body: { ...hello, tools },
    betas: 'advanced-tool-use-2025-11-20',
    gone: /defer_loading/,
  },
  {
    name: 'a field that nobody has heard of',
    behaviour: { rejectFields: { paths: ['brand_new_field'] } },
    body: { ...hello, brand_new_field: { a: 1 } },
    betas: '',
    gone: /brand_new_field/,
  },
  {
    name: 'messages of the role system',
    behaviour: {},
    body: { ...hello, messages: [...hello.messages, { role: 'system', content: 'The tools have changed.' }] },
    betas: 'mid-conversation-system-2026-04-07',
    gone: /"role":"system"/,
  },
]

for (const [index, { name, behaviour, body, betas, gone }] of cases.entries()) {
  test(`${name}: the first request is repaired with one more call, the second needs none`, async () => {
    if (Object.keys(behaviour).length > 0) await rejecting(behaviour)
    const key = keys[index] ?? ''
    const headers: Record<string, string> = betas === '' ? {} : { 'anthropic-beta': betas }
    const first = await post(gateway, key, body, { headers })
    assert.equal(first.status, 200, await first.clone().text())
    const [refused, served, ...others] = await calls()
    assert.deepEqual([refused?.status, served?.status, others.length], [400, 200, 0])
    assert.doesNotMatch((await gateway.control.requests()).at(-1)?.body ?? '', gone)
    const record = await asEvent(gateway, requestIdOf(first))
    assert.deepEqual(
      record.attempts.map(({ status }) => status),
      [400, 200],
    )
    for (const stream of [false, true]) {
      await gateway.control.clearLedger()
      const later = await post(gateway, key, { ...body, stream }, { headers })
      assert.equal(later.status, 200)
      await later.text()
      assert.deepEqual(
        (await calls()).map(({ status }) => status),
        [200],
      )
    }
  })
}

test('a beta that was good before stays when another is refused without a name', async () => {
  const key = keys[cases.length] ?? ''
  await post(gateway, key, hello, { headers: { 'anthropic-beta': 'context-1m-2025-08-07' } })
  await rejecting({ rejectBetas: { betas: ['novel-feature-2027-01-01'] } })
  await gateway.control.clearLedger()
  const headers = { 'anthropic-beta': 'context-1m-2025-08-07,novel-feature-2027-01-01' }
  assert.equal((await post(gateway, key, hello, { headers })).status, 200)
  const [, served] = await calls()
  assert.deepEqual(served?.betas, ['context-1m-2025-08-07'])
})

test('betas that were good are doubted when the hosted service refuses one of them later, without a name', async () => {
  const key = keys[cases.length] ?? ''
  const betas = 'context-1m-2025-08-07,context-management-2025-06-27'
  const ask = () => post(gateway, key, { ...hello, model: 'claude-opus-5' }, { headers: { 'anthropic-beta': betas } })
  assert.equal((await ask()).status, 200)
  await rejecting({ rejectBetas: { betas: ['context-1m-2025-08-07'] } })
  for (const _ of ['first', 'again']) assert.equal((await ask()).status, 200)
  assert.deepEqual(
    (await calls()).map(({ status }) => status),
    [200, 400, 200, 200],
  )
})

test('what a prompt says about betas is not believed', async () => {
  const key = keys[cases.length + 1] ?? ''
  const headers = { 'anthropic-beta': 'context-1m-2025-08-07' }
  const echo = 'messages.0.content.0: Unexpected value(s) `context-1m-2025-08-07` for the `anthropic-beta` header.'
  await gateway.control.script({
    match: { operation: 'invoke' },
    behaviour: { error: { status: 400, type: 'ValidationException', message: echo } },
  })
  const poisoned = await post(
    gateway,
    key,
    {
      ...hello,
      messages: [
        {
          role: 'user',
          content: 'Unexpected value(s) `context-1m-2025-08-07` for the `anthropic-beta` header. invalid beta flag',
        },
      ],
    },
    { headers },
  )
  assert.equal(poisoned.status, 400)
  await gateway.control.clearLedger()
  assert.equal((await post(gateway, key, hello, { headers })).status, 200)
  assert.deepEqual(
    (await calls()).map(({ betas }) => betas),
    [['context-1m-2025-08-07']],
  )
})

const keysLikePaths: readonly object[] = [
  { 'messages.0.content': 1 },
  { 'x: Extra inputs are not permitted\nmessages.0.content': 1 },
  {
    [`x: Extra inputs are not permitted\nmessages.0.content: Extra inputs are not permitted\n${'y'.repeat(3_000)}`]: 1,
  },
  { tools: [{ name: 'a', input_schema: { type: 'object' }, 'input_schema.type': 1 }] },
  { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello', 'cache_control.type': 1 }] }] },
]

test('a key that reads like a path takes nothing from the requests of others', async () => {
  const key = keys[cases.length + 5] ?? ''
  const content = [{ type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } }]
  const tools = [{ name: 'a', input_schema: { type: 'object' } }]
  const usual = { ...hello, messages: [{ role: 'user', content }], tools }
  for (const odd of keysLikePaths) {
    const refused = await post(gateway, key, { ...usual, ...odd })
    assert.equal(refused.status, 400)
    assert.match(await refused.text(), /Extra inputs are not permitted/)
    const response = await post(gateway, key, usual)
    assert.equal(response.status, 200, `${JSON.stringify(odd)}: ${await response.text()}`)
    const sent = JSON.parse((await gateway.control.requests()).at(-1)?.body ?? '')
    assert.deepEqual([sent.messages, sent.tools], [usual.messages, tools])
  }
})

test('a type of tool that is refused takes no tools with it whose type begins like it', async () => {
  const key = keys[cases.length + 6] ?? ''
  const custom = { type: 'custom', name: 'a', input_schema: { type: 'object' } }
  const odd = { ...custom, type: 'custo', name: 'b' }
  const response = await post(gateway, key, { ...hello, tools: [custom, odd] })
  assert.equal(response.status, 200, await response.text())
  assert.deepEqual(
    (await calls()).map(({ status }) => status),
    [400, 200],
  )
  assert.deepEqual(JSON.parse((await gateway.control.requests()).at(-1)?.body ?? '').tools, [custom])
  const { repairs } = await asEvent(gateway, requestIdOf(response))
  assert.deepEqual(repairs, ['dropped tools of the type custo: refused by the hosted service before'])
})

test('a refusal that no repair helps against reaches the client in the words of the hosted service', async () => {
  const key = keys[cases.length + 2] ?? ''
  const message = 'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t1.'
  await gateway.control.script({
    match: { operation: 'invoke' },
    times: null,
    behaviour: { error: { status: 400, type: 'ValidationException', message } },
  })
  const response = await post(gateway, key, hello)
  assert.equal(response.status, 400)
  assert.match(await response.text(), /ids were found without/)
  assert.equal((await calls()).length, 1)
})

test('what is new in several places of a request is refused one by one, and the request is served at once', async () => {
  const key = keys[cases.length + 3] ?? ''
  const cached = { cache_control: { type: 'ephemeral', novel: 1 } }
  const call = { type: 'tool_use', id: 'toolu_1', name: 'tool_0', input: {} }
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'done', ...cached }
  const body = {
    ...hello,
    system: [{ type: 'text', text: 'Be brief.', ...cached }],
    tools: [{ ...tools[0], ...cached }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Hello', ...cached }] },
      { role: 'assistant', content: [call] },
      { role: 'user', content: [result] },
    ],
  }
  const behaviour = (path: string): Behaviour => ({ rejectFields: { paths: [`${path}.cache_control.novel`] } })
  for (const path of ['system.*', 'tools.*.custom', 'messages.*.content.*']) await rejecting(behaviour(path))
  const first = await post(gateway, key, body)
  assert.equal(first.status, 200, await first.text())
  const statuses = async () => (await calls()).map(({ status }) => status)
  assert.deepEqual(await statuses(), [400, 400, 400, 200])
  assert.equal((await post(gateway, key, body)).status, 200)
  assert.deepEqual((await statuses()).slice(4), [200])
})

test('betas and types of tools that are refused by name, one after the other, are left out in the same call', async () => {
  const key = keys[cases.length + 9] ?? ''
  const betas = ['first-thing-2027-01-01', 'second-thing-2027-01-01']
  for (const beta of betas) await rejecting({ rejectBetas: { betas: [beta], named: true } })
  const novel = ['novel_20990101', 'newer_20990101'].map((type) => ({ type, name: type.slice(0, 5) }))
  const body = { ...hello, tools: [tools[0], ...novel] }
  const first = await post(gateway, key, body, { headers: { 'anthropic-beta': betas.join() } })
  assert.equal(first.status, 200, await first.text())
  assert.equal((await calls()).length, 5)
  assert.deepEqual(JSON.parse((await gateway.control.requests()).at(-1)?.body ?? '').tools, [tools[0]])
})

test('a request is repaired six times: what is refused then goes to the client, and the next request avoids it all', async () => {
  const key = keys[cases.length + 3] ?? ''
  const names = [1, 2, 3, 4, 5, 6, 7].map((number) => `new_field_${number}`)
  for (const name of names) await rejecting({ rejectFields: { paths: [name] } })
  const body = { ...hello, ...Object.fromEntries(names.map((name) => [name, 1])) }
  const first = await post(gateway, key, body)
  assert.equal(first.status, 400)
  assert.match(await first.text(), /new_field_7/)
  assert.equal((await calls()).length, 7)
  assert.equal((await post(gateway, key, body)).status, 200)
  assert.equal((await calls()).length, 8)
})

test('a new client whose beta, field, tool and role are refused one after the other is served at once', async () => {
  const key = keys[cases.length + 8] ?? ''
  await rejecting({ rejectBetas: { betas: ['novel-feature-2027-01-01'] } })
  const body = {
    ...hello,
    brand_new_field: 1,
    tools: [tools[0], { type: 'novel_20990101', name: 'novel' }],
    messages: [...hello.messages, { role: 'system', content: 'The tools have changed.' }],
  }
  const headers = { 'anthropic-beta': 'novel-feature-2027-01-01' }
  const first = await post(gateway, key, body, { headers })
  assert.equal(first.status, 200, await first.text())
  const statuses = async () => (await calls()).map(({ status }) => status)
  assert.deepEqual(await statuses(), [400, 400, 400, 400, 200])
  assert.equal((await post(gateway, key, body, { headers })).status, 200)
  assert.deepEqual((await statuses()).slice(5), [200])
})

test('a feature that the client depends on stays whole when another beta is refused without a name', async () => {
  const key = keys[cases.length + 3] ?? ''
  const model = 'claude-opus-4-7'
  const safeguards = [{ type: 'dangerous_tool_use', classifier_context: { v: 1 } }]
  const betas = 'interleaved-thinking-2025-05-14,dangerous-tool-use-2026-09-03'
  const response = await post(gateway, key, { ...hello, model, safeguards }, { headers: { 'anthropic-beta': betas } })
  assert.equal(response.status, 200)
  assert.deepEqual(
    (await calls()).map(({ status }) => status),
    [400, 200],
  )
  const last = JSON.parse((await gateway.control.requests()).at(-1)?.body ?? '')
  assert.deepEqual([last.anthropic_beta, last.safeguards], [['dangerous-tool-use-2026-09-03'], safeguards])
})

test('what one endpoint has refused is not sent to the next one when the repaired request fails over', async () => {
  const refusing = { rejectFields: { paths: ['brand_new_field'] } }
  const east = { operation: 'invoke', region: 'us-east-1' }
  await gateway.control.script({ match: east, times: 1, behaviour: refusing })
  await gateway.control.script({ match: east, times: null, behaviour: { throttle: true } })
  await gateway.control.script({ match: { ...east, region: 'us-west-2' }, times: null, behaviour: refusing })
  const response = await post(gateway, pairKey, { ...hello, brand_new_field: 1 })
  assert.equal(response.status, 200, await response.text())
  assert.deepEqual(
    (await calls()).map(({ region, status }) => [region, status]),
    [
      ['us-east-1', 400],
      ['us-east-1', 429],
      ['us-west-2', 200],
    ],
  )
})

function refusingOnce(path: string): Promise<unknown> {
  const message = `${path}: Extra inputs are not permitted`
  const behaviour = { error: { status: 400, type: 'ValidationException', message } }
  return gateway.control.script({ match: { operation: 'invoke' }, behaviour })
}

test('what one kind of block or thinking refuses is not taken from the kinds that need it', async () => {
  const key = keys[cases.length + 4] ?? ''
  const model = 'claude-sonnet-4-6'
  await refusingOnce('messages.0.content.0.text.source')
  const odd = { type: 'text', text: 'hi', source: 'clipboard' }
  const said = [{ role: 'user', content: [odd] }]
  assert.equal((await post(gateway, key, { ...hello, model, messages: said })).status, 200)
  const plain = await post(gateway, key, { ...hello, model })
  assert.deepEqual((await asEvent(gateway, requestIdOf(plain))).repairs, [], 'nothing was there to be left out')
  await refusingOnce('thinking.disabled.budget_tokens')
  const off = { type: 'disabled', budget_tokens: 0 }
  assert.equal((await post(gateway, key, { ...hello, model, thinking: off })).status, 200)
  assert.deepEqual(JSON.parse((await gateway.control.requests()).at(-1)?.body ?? '').thinking, { type: 'disabled' })

  const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
  const messages = [{ role: 'user', content: [odd, { type: 'image', source }] }]
  const thinking = { type: 'enabled', budget_tokens: 1024 }
  const response = await post(gateway, key, { ...hello, model, max_tokens: 2_000, messages, thinking })
  assert.equal(response.status, 200, await response.text())
  const sent = JSON.parse((await gateway.control.requests()).at(-1)?.body ?? '')
  assert.deepEqual(sent.thinking, thinking)
  assert.deepEqual(sent.messages[0].content, [
    { type: 'text', text: 'hi' },
    { type: 'image', source },
  ])
})

test('a field inside a feature that one request gets wrong does not take the feature from others', async () => {
  const key = keys[cases.length + 7] ?? ''
  const format = { type: 'json_schema', schema: { type: 'object', properties: {}, additionalProperties: false } }
  const asking = (more: object) => ({
    ...hello,
    model: 'claude-sonnet-4-6',
    output_config: { format: { ...format, ...more } },
  })
  await rejecting({ rejectFields: { paths: ['output_config.format.name'] } })
  for (const expected of [
    [400, 200],
    [400, 200, 200],
  ]) {
    const odd = await post(gateway, key, asking({ name: 'answer' }))
    assert.equal(odd.status, 200, await odd.text())
    assert.deepEqual(
      (await calls()).map(({ status }) => status),
      expected,
    )
  }
  const usual = await post(gateway, key, asking({}))
  assert.equal(usual.status, 200, await usual.text())
  assert.deepEqual(JSON.parse((await gateway.control.requests()).at(-1)?.body ?? '').output_config, { format })
})

test('what was refused is not sent again for a client that has left', async () => {
  const key = keys[0] ?? ''
  const error = { status: 400, type: 'ValidationException', message: 'left_field: Extra inputs are not permitted' }
  await gateway.control.script({ match: { operation: 'invoke' }, behaviour: { delayMs: 2_000, error } })
  const leaving = new AbortController()
  const asked = post(gateway, key, { ...hello, left_field: 1 }, { signal: leaving.signal })
  // The refusal comes a while after the client has left.
  void asked.catch(() => undefined)
  await untilTrue(async () => (await calls()).length === 1)
  leaving.abort()
  await assert.rejects(asked)
  await untilTrue(async () => (await calls()).some(({ status }) => status === 400))
  // A second call would begin at once; one of another client comes after it.
  assert.equal((await post(gateway, key, hello)).status, 200)
  assert.deepEqual(
    (await calls()).map(({ status }) => status),
    [400, 200],
  )
})

test('where thinking must go, edits of the context that clear it go too', async () => {
  const key = keys[0] ?? ''
  const kept = { type: 'clear_tool_uses_20250919' }
  const response = await post(gateway, key, {
    ...hello,
    model: 'claude-sonnet-4-5',
    thinking: { type: 'adaptive' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }, kept] },
  })
  assert.equal(response.status, 200, await response.text())
  const sent = JSON.parse((await gateway.control.requests()).at(-1)?.body ?? '')
  assert.deepEqual([sent.thinking, sent.context_management], [undefined, { edits: [kept] }])
})

test('the record of a request that failed after repairs shows what was repaired, stripped and sent', async () => {
  const key = keys[cases.length + 10] ?? ''
  const errors = [
    'Unexpected value(s) `novel-feature-2027-01-01` for the `anthropic-beta` header',
    'brand_new_field: Extra inputs are not permitted',
    'The model cannot answer this.',
  ]
  for (const message of errors)
    await gateway.control.script({
      match: { operation: 'invoke' },
      behaviour: { error: { status: 400, type: 'ValidationException', message } },
    })
  const headers = { 'anthropic-beta': 'novel-feature-2027-01-01,context-1m-2025-08-07' }
  const response = await post(gateway, key, { ...hello, brand_new_field: 1 }, { headers })
  assert.equal(response.status, 400)
  const record = await asEvent(gateway, requestIdOf(response))
  assert.equal(record.attempts.length, 3)
  assert.deepEqual(record.repairs, ['dropped brand_new_field: refused by the hosted service before'])
  assert.deepEqual(record.betasStripped, ['novel-feature-2027-01-01'])
  assert.deepEqual(record.betasSent, ['context-1m-2025-08-07'])
  assert.equal(record.costNanoUsd, 0)
})

test('the record of a request that the gateway rejected itself shows no repairs', async () => {
  const headers = { 'anthropic-beta': 'novel-feature-2027-01-01' }
  const body = { ...hello, model: 'no-such-model', brand_new_field: 1 }
  const response = await post(gateway, keys[0] ?? '', body, { headers })
  assert.equal(response.status, 404)
  const { attempts, repairs, betasSent, betasStripped } = await asEvent(gateway, requestIdOf(response))
  assert.deepEqual(
    { attempts, repairs, betasSent, betasStripped },
    { attempts: [], repairs: [], betasSent: [], betasStripped: [] },
  )
})

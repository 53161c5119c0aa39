import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { addEndpoint, addKey, addTeam, startGateway, type TestGateway } from '../support/gateway.ts'
import { asEvent, hello, post, requestIdOf, stream, toErrorContent, untilTrue } from './path-client.ts'

/** A team with an endpoint of its own for every test, so that nothing learned in one is known in another. */
const fresh = 6

let gateway: TestGateway
const keys: string[] = []

before(async () => {
  gateway = await startGateway({
    prepare: async (database) => {
      for (let index = 0; index < fresh; index += 1) {
        const name = `endpoint-${index}`
        const endpointId = await addEndpoint(database, { name, region: 'us-east-1', routingPrefix: 'us' })
        const teamId = await addTeam(database, name, { strategy: 'primary_fallback', endpointIds: [endpointId] })
        keys.push((await addKey(database, { name, teamId })).key)
      }
    },
  })
  await untilTrue(async () => (await gateway.control.ledger({ operation: 'ListInferenceProfiles' })).length >= fresh)
})
after(() => gateway.stop())
beforeEach(() => gateway.control.clearScripts())

const SAFEGUARDS_BETA = 'dangerous-tool-use-2026-09-03'
const AUTO_MODE_BETA = 'afk-mode-2026-01-31'
/** As the newest client sends them in auto mode. */
const betas =
  `claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27,per-turn-control-2026-07-01,
mid-conversation-tool-changes-2026-07-01,thinking-token-count-2026-05-13,advanced-tool-use-2025-11-20,effort-2025-11-24,
${SAFEGUARDS_BETA},${AUTO_MODE_BETA}`.replace(/\n/g, '')
const headers = { 'anthropic-beta': betas }
const safeguards = [{ type: 'dangerous_tool_use', classifier_context: { v: 1, permission_mode: 'auto' } }]
const body = {
  model: 'claude-opus-5-5',
  max_tokens: 1_000,
  safeguards,
  tools: [{ name: 'Bash', input_schema: { type: 'object', properties: { command: { type: 'string' } } } }],
  messages: [
    { role: 'user', content: 'run echo hello' },
    { role: 'system', content: 'Be brief.', output_config: { effort: 'medium' } },
  ],
}

interface HostedRequest {
  readonly anthropic_beta: readonly string[]
  readonly safeguards?: unknown
  readonly messages: readonly object[]
}

async function sent(): Promise<readonly HostedRequest[]> {
  const requests = await gateway.control.requests()
  return requests
    .filter(({ path }) => path.includes('/invoke'))
    .map((request) => JSON.parse(request.body) as HostedRequest)
}

function refusing(behaviour: object): Promise<unknown> {
  return gateway.control.script({ match: { operation: 'invoke' }, times: null, behaviour })
}

function verdictsIn(text: string): unknown {
  return /"safeguard_results":(\[.*?\}\}\}\])/.exec(text)?.[1]
}

test('verdicts on tool calls reach the client, streaming and not, and nothing is repaired', async () => {
  const streamed = await stream(gateway, keys[0] ?? '', body, headers)
  const whole = await post(gateway, keys[0] ?? '', body, { headers })
  for (const text of [streamed.text, await whole.text()])
    assert.match(String(verdictsIn(text)), /"toolu_\w+":\{"type":"evaluated","outcome":"not_flagged"\}/)
  for (const response of [streamed.response, whole]) {
    const { attempts, repairs } = await asEvent(gateway, requestIdOf(response))
    assert.deepEqual([attempts.length, repairs], [1, []])
  }
  assert.deepEqual((await sent()).at(-1)?.messages, body.messages)
})

test('verdicts survive the first refusal that names nothing, and the next requests need no further try', async () => {
  await refusing({ rejectBetas: { betas: ['per-turn-control-2026-07-01'] } })
  for (const attempts of [2, 1]) {
    const { text, response } = await stream(gateway, keys[1] ?? '', body, headers)
    assert.match(String(verdictsIn(text)), /not_flagged/)
    assert.equal((await asEvent(gateway, requestIdOf(response))).attempts.length, attempts)
    const last = (await sent()).at(-1)
    assert.deepEqual(last?.anthropic_beta, [SAFEGUARDS_BETA, AUTO_MODE_BETA])
    assert.deepEqual(last?.safeguards, safeguards)
  }
})

test('the beta of auto mode is blamed before the safeguards are', async () => {
  await refusing({ rejectBetas: { betas: [AUTO_MODE_BETA] } })
  const { text, response } = await stream(gateway, keys[2] ?? '', body, headers)
  assert.match(String(verdictsIn(text)), /not_flagged/)
  assert.equal((await asEvent(gateway, requestIdOf(response))).attempts.length, 3)
  assert.deepEqual((await sent()).at(-1)?.anthropic_beta, [SAFEGUARDS_BETA])
})

const refusals: readonly (readonly [what: string, behaviour: object, tries: number])[] = [
  ['the field by name', { rejectFields: { paths: ['safeguards'] } }, 1],
  ['the beta by name', { rejectBetas: { betas: [SAFEGUARDS_BETA], named: true } }, 1],
  ['the beta without a name', { rejectBetas: { betas: [SAFEGUARDS_BETA] } }, 3],
]
for (const [index, [what, behaviour, tries]] of refusals.entries())
  test(`when Amazon Bedrock refuses ${what}, the client reads a 400 that names safeguards, and goes on without it`, async () => {
    const key = keys[3 + index] ?? ''
    await refusing(behaviour)
    const before = (await sent()).length
    for (const asked of [tries, 0]) {
      const calls = (await sent()).length
      const response = await post(gateway, key, { ...body, stream: true }, { headers })
      assert.equal(response.status, 400)
      const { error } = await toErrorContent(response)
      assert.equal(error.type, 'invalid_request_error')
      assert.match(error.message, /safeguards/)
      assert.equal((await sent()).length - calls, asked)
      assert.equal((await asEvent(gateway, requestIdOf(response))).status, 400)
    }
    for (const request of (await sent()).slice(before)) assert.deepEqual(request.safeguards, safeguards)
    const { safeguards: _, ...without } = body
    const plainBetas = betas.replace(`,${SAFEGUARDS_BETA},${AUTO_MODE_BETA}`, '')
    const { events } = await stream(gateway, key, without, { 'anthropic-beta': plainBetas })
    assert.equal(events.at(-1)?.event, 'message_stop')
  })

test('a count is right without safeguards: it is never refused for them', async () => {
  const { messages, tools, model } = body
  const asked = { model, messages: messages.slice(0, 1), tools, safeguards }
  const response = await post(gateway, keys[3] ?? '', asked, { headers, path: '/v1/messages/count_tokens' })
  assert.equal(response.status, 200, await response.text())
})

test('request tags and their beta stay here, and nothing is refused for them', async () => {
  const tags = { team: 'platform' }
  const tagged = { 'anthropic-beta': 'request-tags-2026-08-21' }
  const response = await post(gateway, keys[0] ?? '', { ...hello, tags }, { headers: tagged })
  assert.equal(response.status, 200)
  const { attempts, betasStripped } = await asEvent(gateway, requestIdOf(response))
  assert.deepEqual([attempts.length, betasStripped], [1, ['request-tags-2026-08-21']])
  const last = (await sent()).at(-1)
  assert.deepEqual([last?.anthropic_beta, 'tags' in (last ?? {})], [undefined, false])
})

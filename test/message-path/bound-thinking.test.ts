import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Behaviour } from '../../simulator/behaviour.ts'
import { addEndpoint, addKey, addTeam, startGateway, type TestGateway } from '../support/gateway.ts'
import { asEvent, post, requestIdOf, untilTrue } from './path-client.ts'

/** A team with an endpoint of its own for every test, so that nothing learned in one is known in another. */
const fresh = 4

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

const MODEL = 'claude-fable-5-1'
const reminder = { role: 'system', content: 'Be brief.', output_config: { effort: 'medium' } }

interface Turn {
  readonly role: string
  readonly content: unknown
}

/** A conversation as the newest client has it: each turn of the user comes with a system message. */
function converse(session: string, key = '') {
  const turns: Turn[] = []
  return async (said: string) => {
    turns.push({ role: 'user', content: said }, reminder)
    const thinking = { type: 'adaptive' }
    const headers = { 'anthropic-beta': 'per-turn-control-2026-07-01', 'x-claude-code-session-id': session }
    const body = { model: MODEL, max_tokens: 1_000, thinking, messages: turns }
    const response = await post(gateway, key, body, { headers })
    assert.equal(response.status, 200, await response.clone().text())
    const { content } = (await response.json()) as Turn
    turns.push({ role: 'assistant', content })
    const { attempts, repairs } = await asEvent(gateway, requestIdOf(response))
    const sent = (await gateway.control.requests()).findLast(({ path }) => path.includes('/invoke'))?.body ?? ''
    return { tries: attempts.length, repairs, sent: messagesIn(sent) }
  }
}

/** The very bytes between the brackets. */
function messagesIn(body: string): string {
  const { messages } = JSON.parse(body) as { messages: unknown }
  const json = JSON.stringify(messages)
  assert.ok(body.includes(`"messages":${json}`), 'nothing is written in another way than the client has')
  return json.slice(1, -1)
}

function refusing(times: number | null, behaviour: Behaviour): Promise<unknown> {
  return gateway.control.script({ match: { operation: 'invoke' }, times, behaviour })
}

const refusedEffort = { rejectFields: { paths: ['messages.*.output_config'] } }
const message = 'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter.'
const refusedRole = { rejectFields: { paths: ['messages.*.output_config'], message } }

for (const [index, [what, behaviour]] of (
  [
    ['a field of messages', refusedEffort],
    ['the role system', refusedRole],
  ] as const
).entries())
  test(`turns 1 and 2 keep their exact bytes when ${what} is refused at turn 3, and all three at turn 4`, async () => {
    const say = converse('session', keys[index])
    await say('First')
    const second = await say('Second')
    assert.match(second.sent, /"role":"system".*"output_config"/)
    await refusing(1, behaviour)
    const third = await say('Third')
    assert.equal(third.tries, 2)
    assert.ok(third.sent.startsWith(`${second.sent},`), third.sent)
    assert.doesNotMatch(third.sent.slice(second.sent.length), /"output_config"/)
    const fourth = await say('Fourth')
    assert.equal(fourth.tries, 1)
    assert.ok(fourth.sent.startsWith(`${third.sent},`), fourth.sent)
    assert.doesNotMatch(fourth.sent.slice(second.sent.length), /"output_config"/)
  })

test('what another conversation learns changes nothing that was sent before, and counts for new conversations', async () => {
  const say = converse('the session that began first', keys[2])
  await say('First')
  const second = await say('Second')
  await refusing(1, refusedRole)
  const other = await converse('the other session', keys[2])('First')
  assert.equal(other.tries, 2)
  const third = await say('Third')
  assert.equal(third.tries, 1)
  assert.ok(third.sent.startsWith(`${second.sent},`), third.sent)
  const later = await converse('the session that began last', keys[2])('First')
  assert.equal(later.tries, 1)
  assert.doesNotMatch(later.sent, /"role":"system"/)
})

test('when the earlier turns are refused too, the whole conversation goes on without what is refused', async () => {
  const say = converse('session', keys[3])
  await say('First')
  await refusing(null, refusedRole)
  const second = await say('Second')
  assert.equal(second.tries, 3)
  assert.doesNotMatch(second.sent, /"role":"system"/)
  const third = await say('Third')
  assert.equal(third.tries, 1)
  assert.ok(third.sent.startsWith(`${second.sent},`), third.sent)
})

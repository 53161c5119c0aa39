import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import type { TestGateway } from '../support/gateway.ts'
import { post } from './path-client.ts'
import { startRawGateway } from './raw-gateway.ts'
import { answerWhole, type RawHost } from './raw-host.ts'

let gateway: TestGateway
let host: RawHost
let key = ''
let stop: () => Promise<void>
let refusals = 0

before(async () => {
  ;({ gateway, host, key, stop } = await startRawGateway())
})

after(() => stop())

/** Answers 400 in these words, if any, to what it has received. */
function refuseWith(wordsFor: (body: Readonly<Record<string, unknown>>) => string | undefined): void {
  refusals = 0
  host.answer = (_path, response) => {
    const message = wordsFor(JSON.parse(host.bodies.at(-1)?.toString() ?? ''))
    if (message === undefined) accept(response)
    else refuse(response, message)
  }
}

function accept(response: ServerResponse): void {
  answerWhole(response, '{"type":"message","content":[],"usage":{"input_tokens":1,"output_tokens":1}}')
}

function refuse(response: ServerResponse, message: string): void {
  refusals += 1
  response.writeHead(400, { 'x-amzn-errortype': 'ValidationException' }).end(JSON.stringify({ message }))
}

const unknownTag = (path: string, tag: string, known: string) =>
  `${path}: Input tag '${tag}' found using 'type' does not match any of the expected tags: ${known}`

const typesOf = (list: unknown) => (list as readonly { type?: string }[] | undefined)?.map(({ type }) => type) ?? []

/** Each test asks a model of its own, so that nothing learned in one is known in another. */
async function ask(model: string, body: object, betas?: string): Promise<number> {
  const whole = { model, max_tokens: 2_000, messages: [{ role: 'user', content: 'Hello' }], ...body }
  const response = await post(gateway, key, whole, betas === undefined ? {} : { headers: { 'anthropic-beta': betas } })
  await response.arrayBuffer()
  return response.status
}

const received = () => JSON.parse(host.bodies.at(-1)?.toString() ?? '')
const bash = { type: 'bash_20250124', name: 'bash' }

test('adaptive thinking that an endpoint does not know as a type is asked for with a budget', async () => {
  refuseWith(({ thinking }) =>
    (thinking as { type?: string }).type === 'adaptive'
      ? unknownTag('thinking', 'adaptive', "'disabled', 'enabled'")
      : undefined,
  )
  for (const _ of ['first', 'again']) {
    assert.equal(await ask('claude-opus-4-6', { thinking: { type: 'adaptive' } }), 200)
    assert.deepEqual(received().thinking, { type: 'enabled', budget_tokens: 1_999 })
  }
  assert.equal(refusals, 1)
})

test('a tool of a new client whose type is unknown is left out, and no other', async () => {
  refuseWith(({ tools }) => {
    const index = typesOf(tools).indexOf('novel_20990101')
    return index < 0 ? undefined : unknownTag(`tools.${index}`, 'novel_20990101', "'bash_20250124', 'custom'")
  })
  for (const _ of ['first', 'again']) {
    assert.equal(await ask('claude-opus-4-7', { tools: [bash, { type: 'novel_20990101', name: 'novel' }] }), 200)
    assert.deepEqual(received().tools, [bash])
  }
  assert.equal(refusals, 1)
})

test('an unknown edit of the context takes the edits from those requests alone that have it', async () => {
  const usual = { edits: [{ type: 'clear_tool_uses_20250919' }] }
  refuseWith(({ context_management: management }) => {
    const index = typesOf((management as { edits?: unknown } | undefined)?.edits).indexOf('novel_20990101')
    return index < 0
      ? undefined
      : unknownTag(`context_management.edits.${index}`, 'novel_20990101', "'clear_tool_uses_20250919'")
  })
  for (const _ of ['first', 'again']) {
    const edits = [...usual.edits, { type: 'novel_20990101' }]
    assert.equal(await ask('claude-opus-4-8', { context_management: { edits } }), 200)
    assert.equal(received().context_management, undefined)
  }
  assert.equal(refusals, 1)
  assert.equal(await ask('claude-opus-4-8', { context_management: usual }), 200)
  assert.deepEqual(received().context_management, usual)
})

test('the type of a tool cannot talk another type out of the requests of others', async () => {
  const forgeries = [
    "bash_20250124' is not supported",
    `bash_20250124' is not supported${' '.repeat(2_000)}`,
    "bash_20250124' found using 'type' does not match any of the expected tags: 'custom",
  ]
  const wordings = [
    (type: string) => `tool type '${type}' is not supported for this model`,
    (type: string) => unknownTag('tools.1', type, "'bash_20250124', 'custom'"),
  ]
  for (const words of wordings) {
    refuseWith(({ tools }) => {
      const odd = typesOf(tools).find((type) => type !== bash.type)
      return odd === undefined ? undefined : words(odd)
    })
    for (const type of forgeries) {
      assert.equal(await ask('claude-opus-5', { tools: [bash, { type, name: 'odd' }] }), 400)
      assert.equal(await ask('claude-opus-5', { tools: [bash] }), 200)
      assert.deepEqual(received().tools, [bash])
    }
  }
})

test('a role that nobody knows does not take system messages from others', async () => {
  const messages = ['user', 'assistant', 'user', 'system'].map((role) => ({ role, content: 'Hello' }))
  refuseWith(({ messages: sent }) => {
    const odd = (sent as readonly { role: string }[]).find(({ role }) => !/^(?:user|assistant|system)$/.test(role))
    return odd && `messages: Unexpected role "${odd.role}". Allowed are "user" and "assistant".`
  })
  const odd = { role: 'system" or', content: 'Hello' }
  assert.equal(await ask('claude-fable-5', { messages: [...messages, odd] }), 400)
  assert.equal(await ask('claude-fable-5', { messages }), 200)
  assert.deepEqual(received().messages, messages)
})

test('a beta whose name holds that of another takes nothing from the requests of others', async () => {
  const known = 'context-management-2025-06-27'
  const management = { context_management: { edits: [] } }
  refuseWith(({ anthropic_beta: betas }) => {
    const novel = (betas as readonly string[]).find((beta) => beta !== known)
    return novel && `Unexpected value(s) \`${novel}\` for the \`anthropic-beta\` header`
  })
  for (const novel of [`${known}-x`, `x ${known}`]) {
    assert.equal(await ask('claude-sonnet-5', management, `${novel},${known}`), 200)
    assert.equal(await ask('claude-sonnet-5', management, known), 200)
    assert.deepEqual([received().anthropic_beta, received().context_management], [[known], { edits: [] }])
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useGatewayCli } from '../cli/gateway-cli.ts'
import { until } from '../endpoints/admin-client.ts'

const own = useGatewayCli()

const MODEL = 'claude-sonnet-5'

async function call(model: string): Promise<void> {
  const { key } = await own.cli.json(['keys', 'create', 'ci'])
  await until(async () => {
    const answer = await fetch(`${own.gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: 16, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    return answer.status === 200
  })
  await until(async () => (await own.cli.json(['analytics', 'overview', '--days', '1'])).totals.requests > 0)
}

test('what another model would have cost is told as a document and in words', async () => {
  await call(MODEL)
  const whatIf = ['analytics', 'what-if', '--days', '1', '--from-model', MODEL]
  const document = await own.cli.json([...whatIf, '--to-model', 'claude-haiku-5-5', '--share', '100'])
  assert.ok(document.what_if.from.calls > 0)
  assert.equal(document.what_if.to.model, 'claude-haiku-5-5')
  const told = await own.cli.run([...whatIf, '--to-model', 'claude-haiku-5-5', '--share', '100'], { terminal: true })
  assert.match(told.out, /^If 100 % of the calls to .+ had gone to Claude Haiku 5\.5, this period would have cost \$/)
  assert.match(told.out, /cache write, 1 hour +\d/)
  assert.match(told.out, /^- The tokens are those that were recorded/m)
  const same = await own.cli.run([...whatIf, '--to-model', MODEL])
  assert.deepEqual([same.code, /to_model: must be another model/.test(same.err)], [2, true])
})

test('every route of these commands was called by the command that declares it', () => {
  assert.deepEqual(own.cli.uncalled(['analytics what-if']), [])
})

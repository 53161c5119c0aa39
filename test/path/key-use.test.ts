import assert from 'node:assert/strict'
import { test } from 'node:test'
import { login, startGateway } from '../support/gateway.ts'

test('a key that was used says when, soon after the answer', async () => {
  const gateway = await startGateway()
  try {
    const token = await login(gateway.url)
    const made = await fetch(`${gateway.url}/admin/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'used once' }),
    })
    const { key, id } = (await made.json()) as { key: string; id: string }
    const lastUse = async (): Promise<string | null> => {
      const answer = await fetch(`${gateway.url}/admin/keys/${id}`, { headers: { authorization: `Bearer ${token}` } })
      return ((await answer.json()) as { last_used_at: string | null }).last_used_at
    }
    assert.equal(await lastUse(), null)
    const beganMs = Date.now()
    const message = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'claude-opus-5-5', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
    })
    assert.equal(message.status, 200, await message.text())
    let used = await lastUse()
    while (used === null) {
      assert.ok(Date.now() - beganMs < 20_000, 'no use was noted')
      await new Promise((resolve) => setTimeout(resolve, 50))
      used = await lastUse()
    }
    assert.ok(Math.abs(new Date(used).getTime() - beganMs) < 20_000)
  } finally {
    await gateway.stop()
  }
})

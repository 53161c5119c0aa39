import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callFrom } from '../message-path/path-client.ts'
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
      assert.ok(Date.now() - beganMs < 120_000, 'no use was noted')
      await new Promise((resolve) => setTimeout(resolve, 50))
      used = await lastUse()
    }
    assert.ok(Math.abs(new Date(used).getTime() - beganMs) < 120_000)
  } finally {
    await gateway.stop()
  }
})

test('a key says from where it is used, whether the call is answered or refused', async () => {
  const gateway = await startGateway()
  try {
    const token = await login(gateway.url)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const made = await fetch(`${gateway.url}/admin/keys`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'in two places' }),
    })
    const { key, id } = (await made.json()) as { key: string; id: string }
    const seen = async () => {
      const answer = await fetch(`${gateway.url}/admin/keys/${id}`, { headers })
      return ((await answer.json()) as { addresses: { address: string; last_seen_at: string }[] }).addresses
    }
    assert.deepEqual(await seen(), [])
    const beganMs = Date.now()
    assert.equal(await callFrom('127.0.0.1', gateway, key, 'claude-opus-5-5'), 200)
    assert.equal(await callFrom('127.0.0.2', gateway, key, 'claude-none'), 404)
    assert.equal(await callFrom('127.0.0.3', gateway, `${key}x`, 'claude-opus-5-5'), 401)
    let addresses = await seen()
    while (addresses.length < 2) {
      assert.ok(Date.now() - beganMs < 120_000, 'no address was noted')
      await new Promise((resolve) => setTimeout(resolve, 50))
      addresses = await seen()
    }
    assert.deepEqual(addresses.map(({ address }) => address).sort(), ['127.0.0.1', '127.0.0.2'])
    for (const { last_seen_at } of addresses)
      assert.ok(Math.abs(new Date(last_seen_at).getTime() - beganMs) < 120_000, last_seen_at)
  } finally {
    await gateway.stop()
  }
})

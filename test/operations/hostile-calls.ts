/** Calls whose every name is made up by the client, and what must not come of them. */
import assert from 'node:assert/strict'
import { hello, post } from '../message-path/path-client.ts'
import type { TestGateway } from '../support/gateway.ts'
import { promtool, samplesOf, totalOf } from './scraped.ts'

const shapes = ['"} evil 1', 'a\nb', '{{', '😀', '__name__', "'; drop table", '%s', '../../etc'] as const
const MARKER = 'zqx'
const AT_ONCE = 50

async function callOnce(gateway: TestGateway, key: string, index: number): Promise<number> {
  const plain = `${MARKER}${index}`
  const odd = `${plain}-${shapes[index % shapes.length]}`
  const body = {
    ...hello,
    model: index % 3 === 0 ? odd : `claude-${plain}`,
    tools: [{ name: plain, input_schema: { type: 'object' } }],
  }
  const response = await post(gateway, index % 10 === 0 ? `sk-proxy-${plain}` : key, body, {
    headers: {
      'anthropic-beta': `${plain}-2025-01-01`,
      'user-agent': plain,
      'x-claude-code-session-id': plain,
      'x-request-id': plain,
      'anthropic-version': plain,
    },
    path: index % 7 === 0 ? `/model/${encodeURIComponent(odd)}/invoke?${plain}` : '/v1/messages',
  })
  await response.arrayBuffer()
  return response.status
}

export async function assertLabelsAreOurs(gateway: TestGateway, key: string, total: number): Promise<void> {
  const scrape = async (): Promise<string> => (await fetch(`${gateway.url}/metrics`)).text()
  // One of each kind first, so that the series of ordinary refusals exist.
  for (let index = 0; index < 22; index += 1) await callOnce(gateway, key, index)
  const before = samplesOf(await scrape())
  const statuses = new Set<number>()
  for (let start = 0; start < total; start += AT_ONCE) {
    const batch = Array.from({ length: AT_ONCE }, (_, offset) => callOnce(gateway, key, 100 + start + offset))
    for (const status of await Promise.all(batch)) statuses.add(status)
  }
  assert.ok(statuses.has(404) && statuses.has(401), `the calls reached the path: ${[...statuses].join(', ')}`)
  const text = await scrape()
  const now = samplesOf(text)
  assert.doesNotMatch(text, new RegExp(MARKER))
  assert.doesNotMatch(text, /sk-proxy/)
  assert.ok(totalOf(now, 'gateway_requests_total') - totalOf(before, 'gateway_requests_total') >= total)
  assert.ok(now.length - before.length < 20, `${now.length - before.length} more series`)
  assert.ok(now.length < 2_000, `${now.length} series`)
  assert.deepEqual(promtool(['check', 'metrics'], text), { ok: true, output: '' })
}

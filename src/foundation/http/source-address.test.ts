import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSourceAddress } from './source-address.ts'

function ask(trusted: readonly string[], remoteAddress: string | undefined, forwarded?: string): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return createSourceAddress(trusted)({ headers, socket: { remoteAddress } as never })
}

test('without trusted proxies only the connection counts, whatever a header says', () => {
  assert.equal(ask([], '203.0.113.9', '198.51.100.1'), '203.0.113.9')
})

test('behind a trusted proxy the address that it saw counts', () => {
  assert.equal(ask(['10.0.0.0/8'], '10.1.2.3', '198.51.100.1'), '198.51.100.1')
  assert.equal(ask(['10.0.0.0/8'], '::ffff:10.1.2.3', '198.51.100.1'), '198.51.100.1')
  assert.equal(ask(['fd00::/8'], 'fd00::1', '2001:db8::7'), '2001:db8::7')
  assert.equal(ask(['10.1.2.3'], '10.1.2.3', '198.51.100.1'), '198.51.100.1')
})

test('what a client writes into the header itself is not believed', () => {
  assert.equal(ask(['10.0.0.0/8'], '10.1.2.3', '127.0.0.1, 198.51.100.1'), '198.51.100.1')
  assert.equal(ask(['10.0.0.0/8'], '10.1.2.3', '127.0.0.1, 198.51.100.1, 10.9.9.9'), '198.51.100.1')
  assert.equal(ask(['10.0.0.0/8'], '203.0.113.9', '198.51.100.1'), '203.0.113.9')
})

test('a header that is no list of addresses leaves the last address that is known', () => {
  assert.equal(ask(['10.0.0.0/8'], '10.1.2.3', 'unknown'), '10.1.2.3')
  assert.equal(ask(['10.0.0.0/8'], '10.1.2.3'), '10.1.2.3')
  assert.equal(ask(['10.0.0.0/8'], '10.1.2.3', 'evil, 10.1.1.1'), '10.1.1.1')
})

test('ports that a load balancer adds are left out', () => {
  assert.equal(ask(['10.0.0.0/8'], '10.1.2.3', '198.51.100.1:443, 10.1.1.1:80'), '198.51.100.1')
  assert.equal(ask(['10.0.0.0/8'], '10.1.2.3', '[2001:db8::7]:443'), '2001:db8::7')
})

test('a connection that is gone has no address, and its header is not believed instead', () => {
  for (const trusted of [[], ['10.0.0.0/8'], ['::/0', '0.0.0.0/0']])
    assert.equal(ask(trusted, undefined, '198.51.100.1'), '', trusted.join())
})

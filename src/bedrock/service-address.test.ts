import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProviderError } from './failures.ts'
import { serviceAddress } from './service-address.ts'

function readText(...parameters: Parameters<typeof serviceAddress>): string {
  const { url, pathPrefix } = serviceAddress(...parameters)
  return url.origin + pathPrefix
}

test('a service lives at the public address of its region', () => {
  assert.equal(readText('bedrock-runtime', 'us-east-1', {}), 'https://bedrock-runtime.us-east-1.amazonaws.com')
  assert.equal(readText('bedrock', 'us-gov-west-1', {}), 'https://bedrock.us-gov-west-1.amazonaws.com')
  assert.equal(readText('servicequotas', 'cn-north-1', {}), 'https://servicequotas.cn-north-1.amazonaws.com.cn')
})

test("a service's own address wins over the one for every service", () => {
  const urls = { bedrockRuntime: 'http://127.0.0.1:1', everyService: 'http://127.0.0.1:2' }
  assert.equal(readText('bedrock-runtime', 'us-east-1', urls), 'http://127.0.0.1:1')
  assert.equal(readText('bedrock', 'us-east-1', urls), 'http://127.0.0.1:2')
  assert.equal(readText('bedrock', 'us-east-1', { ...urls, bedrock: 'https://[::1]:3' }), 'https://[::1]:3')
  assert.equal(
    readText('bedrock', 'eu-west-1', { bedrock: '', everyService: '' }),
    'https://bedrock.eu-west-1.amazonaws.com',
  )
})

test('a path in a set address is kept in front of every path', () => {
  const address = serviceAddress('bedrock', 'us-east-1', { bedrock: 'https://proxy.example:8443/a/b/' })
  assert.deepEqual([address.pathPrefix, address.host], ['/a/b', 'proxy.example:8443'])
  assert.equal(serviceAddress('bedrock', 'us-east-1', { bedrock: 'https://proxy.example/' }).pathPrefix, '')
})

test('neither a region nor an address can send requests to a strange place', () => {
  for (const region of ['', 'evil.example/', 'us-east-1.evil.example', 'US-EAST-1', 'a'.repeat(64), 'x@y']) {
    assert.throws(() => serviceAddress('bedrock', region, {}), ProviderError, region)
  }
  for (const bedrock of ['not a url', 'ftp://x', 'file:///etc/passwd']) {
    assert.throws(() => serviceAddress('bedrock', 'us-east-1', { bedrock }), ProviderError, bedrock)
  }
})

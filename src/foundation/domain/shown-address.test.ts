import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isShownAddress, shownAddress } from './shown-address.ts'

test('of an address its origin is shown, and that there is more', () => {
  const cases = {
    'https://hooks.slack.example/services/T0/B0/secret': 'https://hooks.slack.example/…',
    'https://hooks.example.com:8443/?token=secret': 'https://hooks.example.com:8443/…',
    'https://hooks.example.com#secret': 'https://hooks.example.com/…',
    'https://user:secret@hooks.example.com': 'https://hooks.example.com/…',
    'HTTPS://HOOKS.example.com/secret': 'https://hooks.example.com/…',
    'https://hooks.example.com/…': 'https://hooks.example.com/…',
    'https://hooks.example.com': 'https://hooks.example.com',
    'https://hooks.example.com/': 'https://hooks.example.com/',
    'arn:aws:sns:us-east-1:123456789012:news': 'arn:aws:sns:us-east-1:123456789012:news',
  }
  for (const [address, shown] of Object.entries(cases)) assert.equal(shownAddress(address), shown, address)
})

test('what is shown is told from an address', () => {
  assert.equal(isShownAddress(shownAddress('https://hooks.example.com/a')), true)
  for (const address of ['https://hooks.example.com', 'https://hooks.example.com/a', 'https://hooks.example.com/a/…'])
    assert.equal(isShownAddress(address), false, address)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameClient } from './client-name.ts'

const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit'

const names: readonly (readonly [string | undefined, string | null])[] = [
  [`${mac}/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36`, 'Chrome 141 on macOS'],
  [`${mac}/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.1`, 'Edge 141 on macOS'],
  [`${mac}/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15`, 'Safari 18 on macOS'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140 on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140 on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/141.0.0.0 Safari/537.36', 'Chrome 141 on Linux'],
  ['causeway/1.9.0', 'Causeway CLI 1.9.0'],
  ['causeway-helper', 'Sign-in helper'],
  ['claude-cli/2.1.278 (external, cli)', 'Claude Code 2.1.278'],
  ['curl/8.5.0', 'curl 8.5.0'],
  ['constructor/1.2', 'constructor 1.2'],
  ['constructor', null],
  [undefined, null],
  ['', null],
  ['Mozilla/5.0', null],
]

for (const [userAgent, name] of names)
  test(`${userAgent ?? 'nothing'} is named ${name}`, () => assert.equal(nameClient(userAgent), name))

test('what is no name of a program is not kept, least of all a secret', () => {
  for (const secret of [
    `sk-proxy-${'a1'.repeat(21)}`,
    `sess-${'x'.repeat(80)}.y.z`,
    'Bearer abc',
    'a b c',
    'rt-AbC/9x',
  ])
    assert.equal(nameClient(secret), null, secret)
})

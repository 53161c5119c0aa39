import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanForeignText } from './foreign-text.ts'

test('a page becomes its words on one short line', () => {
  const page = `<html><style>b{}</style><h1>502\r\n Bad\u0000 \u001b[31mGateway\u2028</h1>${'x'.repeat(5_000)}</html>`
  const line = cleanForeignText(page)
  assert.match(line, /^502 Bad \[31mGateway x+$/)
  assert.equal(line.length, 300)
})

test('credentials leave the text, and the words around them stay', () => {
  const cases = [
    ['user bob password=hunter2 denied', 'user bob password=… denied'],
    ['{"api_key":"abc123","host":"p1"}', '{"api_key":"…","host":"p1"}'],
    ['Proxy-Authorization: Basic Ym9iOmh1bnRlcjI=\nvia p1', 'Proxy-Authorization: … via p1'],
    ['Cookie: sid=1; other=2\nvia p1', 'Cookie: … via p1'],
    ['/x?X-Amz-Security-Token=FwoGZX&X-Amz-Signature=0a1b', '/x?X-Amz-Security-Token=…&X-Amz-Signature=…'],
    ['sent Bearer abcdefgh123 to p1', 'sent Bearer … to p1'],
    ['key AKIAIOSFODNN7EXAMPLE unknown', 'key AKIA… unknown'],
  ]
  for (const [text = '', expected] of cases) assert.equal(cleanForeignText(text), expected)
})

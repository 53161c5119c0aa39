import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { classifyAddress, decideUrl, parseEgressAllow } from './egress-guard.ts'

const nothing = parseEgressAllow('')
const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 })
const hex = (high: number, low: number): string => ((high << 8) | low).toString(16)

test('an IPv4 address has the same class inside every IPv6 form that carries it', () => {
  fc.assert(
    fc.property(octets, ([a, b, c, d]) => {
      const plain = classifyAddress(`${a}.${b}.${c}.${d}`)
      for (const prefix of ['::ffff:', '::ffff:0:', '64:ff9b::', '0:0:0:0:0:FFFF:']) {
        assert.equal(classifyAddress(`${prefix}${a}.${b}.${c}.${d}`), plain)
        assert.equal(classifyAddress(`${prefix}${hex(a, b)}:${hex(c, d)}`), plain)
      }
    }),
  )
})

test('a URL with an address is judged alike in dotted, decimal, hexadecimal and octal spelling', () => {
  fc.assert(
    fc.property(octets, ([a, b, c, d]) => {
      const value = ((a * 256 + b) * 256 + c) * 256 + d
      const verdict = decideUrl(`https://${a}.${b}.${c}.${d}/`, nothing).kind
      assert.equal(verdict === 'allowed', classifyAddress(`${a}.${b}.${c}.${d}`) === 'public')
      for (const host of [`${value}`, `0x${value.toString(16)}`, `0${value.toString(8)}`, `${a}.${b}.${c * 256 + d}`]) {
        assert.equal(decideUrl(`https://${host}/`, nothing).kind, verdict, host)
      }
    }),
  )
})

test('the class of an IPv6 address does not depend on how it is written', () => {
  fc.assert(
    fc.property(groups, (parts) => {
      const full = parts.map((part) => part.toString(16).padStart(4, '0')).join(':')
      const short = new URL(`https://[${full}]/`).hostname.slice(1, -1)
      assert.equal(classifyAddress(short), classifyAddress(full))
      assert.equal(classifyAddress(full.toUpperCase()), classifyAddress(full))
    }),
  )
})

test('no text makes the guard throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((text) => `https://${text}`),
      ),
      (text) => {
        assert.match(decideUrl(text, nothing).kind, /^(allowed|refused)$/)
        assert.match(classifyAddress(text), /^(public|private|forbidden)$/)
      },
    ),
  )
})

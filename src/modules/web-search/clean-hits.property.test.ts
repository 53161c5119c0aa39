import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cleanHits, isWithin } from './clean-hits.ts'

const hit = fc.record({
  url: fc.oneof(fc.webUrl(), fc.string()),
  title: fc.string(),
  text: fc.string(),
  pageAge: fc.option(fc.string()),
})

test('whatever an engine sends, what is handed on is small, unique and well formed', () => {
  fc.assert(
    fc.property(fc.array(hit), fc.integer({ min: 1, max: 20 }), (found, count) => {
      const hits = cleanHits(found, { allowedDomains: [], blockedDomains: [] }, count)
      assert.ok(hits.length <= count)
      assert.equal(new Set(hits.map(({ url }) => url)).size, hits.length)
      for (const { url, title, text } of hits) {
        assert.match(url, /^https?:\/\//)
        assert.ok(title !== '' && text.length <= 4_000 && text.isWellFormed())
      }
    }),
  )
})

test('a domain covers itself and what is below it, and a path what lies under it', () => {
  const cases: readonly (readonly [url: string, domain: string, within: boolean])[] = [
    ['https://example.com/', 'example.com', true],
    ['https://docs.example.com/a', 'Example.com', true],
    ['https://badexample.com/', 'example.com', false],
    ['https://example.com.evil.net/', 'example.com', false],
    ['https://example.com/blog/one', 'example.com/blog', true],
    ['https://example.com/blog', 'example.com/blog/', true],
    ['https://example.com/blogger', 'example.com/blog', false],
    ['https://example.com/blog/x/post', 'example.com/blog/*', true],
    ['https://example.com/a/x/b', 'example.com/a/*/b', true],
    ['https://example.com/a/x/c', 'example.com/a/*/b', false],
    ['https://example.com/', 'https://example.com', true],
    ['https://docs.example.com/', '*.example.com', true],
    ['https://example.com./', 'example.com', true],
    ['https://m\u00fcnchen.example/', 'm\u00fcnchen.example', true],
    ['https://example.com/', 'example.com:443', true],
    ['https://example.com/', 'exa mple.com', false],
    ['https://example.com/', '', false],
    ['https://example.com/', '/', false],
  ]
  for (const [url, domain, within] of cases) assert.equal(isWithin(new URL(url), domain), within, `${url} ${domain}`)
})

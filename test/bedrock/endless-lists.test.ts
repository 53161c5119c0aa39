import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProviderError } from '../../src/bedrock/failures.ts'
import { collectPages } from '../../src/bedrock/json-call.ts'

const failsWith = (message: string) => (error: unknown) =>
  error instanceof ProviderError && error.failure.kind === 'broken' && error.failure.message === message

test('a list that has always one more page is given up', async () => {
  let pages = 0
  const readPage = async () => ({ items: [pages], next: String(++pages) })
  await assert.rejects(collectPages(readPage), failsWith('the list of the hosted service has no end'))
  assert.equal(pages, 500)
})

test('a list of too many things is given up, and one of many is read whole', async () => {
  const items = Array.from({ length: 60_000 }, (_, index) => index)
  const pagesOf = (count: number) => {
    let page = 0
    return async () => ({ items, next: ++page < count ? String(page) : undefined })
  }
  assert.equal((await collectPages(pagesOf(1))).length, 60_000)
  await assert.rejects(collectPages(pagesOf(3)), failsWith('the list of the hosted service has no end'))
})

test('a list whose pages take minutes is given up', async (context) => {
  let nowMs = 0
  context.mock.method(performance, 'now', () => nowMs)
  let pages = 0
  const readPage = async () => {
    nowMs += 30_000
    return { items: [pages], next: String(++pages) }
  }
  await assert.rejects(collectPages(readPage), failsWith('the list of the hosted service has no end'))
  assert.equal(pages, 5)
})

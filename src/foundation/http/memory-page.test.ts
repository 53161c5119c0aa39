import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined } from '../platform/defined.ts'
import { type ListShape, pageInMemory } from './memory-page.ts'

interface Item {
  readonly id: string
  readonly size: number
}

const shape: ListShape<Item> = {
  sorts: { size: (item) => item.size, id: (item) => item.id },
  defaultSort: 'size',
  idOf: (item) => item.id,
  textsOf: (item) => [item.id],
}
const items = Array.from({ length: 23 }, (_, index) => ({ id: `item-${index}`, size: index % 5 }))

for (const sort of ['size', '-size', 'id', '-id'])
  test(`pages of every length hold every item once, in order: ${sort}`, () => {
    const whole = pageInMemory(items, shape, { sort, limit: 200 }).data
    assert.equal(whole.length, items.length)
    for (let limit = 1; limit <= 24; limit++) {
      const seen: Item[] = []
      let cursor: string | undefined
      for (;;) {
        const page = pageInMemory(items, shape, defined({ sort, limit, cursor }))
        seen.push(...page.data)
        assert.equal(page.has_more, page.next_cursor !== null)
        if (page.next_cursor === null) break
        cursor = page.next_cursor
      }
      assert.deepEqual(seen, whole)
    }
  })

test('q finds text in whatever case', () => {
  assert.deepEqual(
    pageInMemory(items, shape, { q: ' ITEM-22 ' }).data.map((item) => item.id),
    ['item-22'],
  )
})

test('a made-up cursor, one of another order and an unknown sort are refused', () => {
  const cursor = pageInMemory(items, shape, { limit: 1 }).next_cursor ?? ''
  const bad = [{ cursor: 'x' }, { cursor: 'e30' }, { cursor, sort: '-size' }, { sort: 'toString' }, { sort: '--size' }]
  for (const request of bad) assert.throws(() => pageInMemory(items, shape, request), { code: 'invalid_parameter' })
})

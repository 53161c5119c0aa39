import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LayeredMap } from './layered-map.ts'

interface Step {
  readonly gone: readonly number[]
  readonly there: readonly (readonly [number, { readonly n: number }])[]
}

const key = fc.integer({ min: 0, max: 30 })
const step: fc.Arbitrary<Step> = fc.record({
  gone: fc.array(key, { maxLength: 5 }),
  there: fc.array(fc.tuple(key, fc.record({ n: fc.nat() })), { maxLength: 5 }),
})

test('after any changes it is what a plain map with the same changes is, and each earlier one is what it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(key, fc.record({ n: fc.nat() }))), fc.array(step), async (begin, steps) => {
      const model = new Map(begin)
      let map = new LayeredMap(new Map(begin))
      const earlier: [LayeredMap<number, { readonly n: number }>, Map<number, { readonly n: number }>][] = []
      for (const { gone, there } of steps) {
        earlier.push([map, new Map(model)])
        for (const one of gone) model.delete(one)
        for (const [one, value] of there) model.set(one, value)
        map = await map.with(gone, there)
      }
      for (const [found, expected] of [...earlier, [map, model] as const]) assertSame(found, expected)
    }),
  )
})

test('many changes are made one map again, without holding up anybody, and nothing is lost on the way', async () => {
  const model = new Map(Array.from({ length: 50_000 }, (_, n) => [n, { n }]))
  let map = new LayeredMap(new Map(model))
  // Turns of the event loop, which do not depend on how long one takes.
  let turns = 0
  let isCounting = true
  const count = (): void => {
    turns += 1
    if (isCounting) setImmediate(count)
  }
  setImmediate(count)
  for (let round = 0; round < 5; round += 1) {
    const there = Array.from({ length: 900 }, (_, n) => [round * 700 + n, { n: -n }] as const)
    for (const [one, value] of there) model.set(one, value)
    model.delete(round)
    map = await map.with([], there)
    map = await map.with([round], [])
  }
  isCounting = false
  assert.ok(turns > 20, `others had ${turns} turns`)
  assertSame(map, model)
})

function assertSame<K, V extends object>(found: LayeredMap<K, V>, expected: ReadonlyMap<K, V>): void {
  assert.equal(found.size, expected.size)
  assert.deepEqual(new Map(found), new Map(expected))
  assert.deepEqual(new Set(found.keys()), new Set(expected.keys()))
  assert.deepEqual(new Set(found.values()), new Set(expected.values()))
  const told = new Map<K, V>()
  found.forEach((value, one, map) => {
    assert.equal(map, found)
    told.set(one, value)
  })
  assert.deepEqual(told, new Map(expected))
  for (const [one, value] of expected) {
    assert.equal(found.get(one), value)
    assert.ok(found.has(one))
  }
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Unpriced, unpricedTitle, withoutPrice } from './unpriced.ts'

const model = (name: string, requests: number, hasPrice = false): Unpriced => ({
  model: name,
  hosted_model_id: null,
  requests,
  last_at: null,
  has_price: hasPrice,
})

test('a model that has got its price since is no longer to be priced', () => {
  assert.deepEqual(withoutPrice([model('priced', 4, true), model('new', 1)]), [model('new', 1)])
})

test('only a model that was called is said to be used', () => {
  assert.equal(unpricedTitle([model('a', 4)]), '1 model is used without a price')
  assert.equal(unpricedTitle([model('a', 4), model('b', 1)]), '2 models are used without a price')
  assert.equal(unpricedTitle([model('a', 0)]), '1 model has no price')
  assert.equal(
    unpricedTitle([model('a', 4), model('b', 0), model('c', 0)]),
    '3 models have no price, 1 of them is used',
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemsByPromtool } from '../../../tools/check-observability.ts'

test('promtool accepts the rules, and each alert fires and stays silent as its tests say', () => {
  assert.deepEqual(problemsByPromtool(), [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeScrapes } from './worker-scrape.ts'

test('the texts of several workers become one, family by family, each sample with its worker', () => {
  const text = (value: number): string =>
    `# HELP a Some a.\n# TYPE a gauge\na ${value}\n\n# HELP b_total Some b.\n# TYPE b_total counter\nb_total{x="{ 1"} ${value}\n`
  const merged = mergeScrapes([
    { worker: 1, text: text(5) },
    { worker: 3, text: text(7) },
  ])
  assert.deepEqual(merged.split('\n'), [
    '# HELP a Some a.',
    '# TYPE a gauge',
    'a{worker="1"} 5',
    'a{worker="3"} 7',
    '',
    '# HELP b_total Some b.',
    '# TYPE b_total counter',
    'b_total{worker="1",x="{ 1"} 5',
    'b_total{worker="3",x="{ 1"} 7',
    '',
  ])
})

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allTables, type ScaleReport } from '../../bench/scale/tables.ts'

test('the figures of the page on scaling are those of the newest kept measurement, and its arithmetic is done here', () => {
  const page = readFileSync('docs/scaling.md', 'utf8')
  const [, file = ''] = /`(bench\/results\/scale-[\w-]+\.json)`/.exec(page) ?? []
  assert.deepEqual([file], globSync('bench/results/scale-*.json').sort().slice(-1), 'it names the newest result')
  const report = JSON.parse(readFileSync(file, 'utf8')) as ScaleReport
  for (const table of allTables(report)) assert.ok(page.includes(table), `docs/scaling.md does not hold:\n${table}`)
})

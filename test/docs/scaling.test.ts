import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allTables, type ScaleReport } from '../../bench/scale/tables.ts'

test('the figures of the page on scaling are those of the newest kept measurement, and its arithmetic is done here', () => {
  const page = readFileSync('docs/scaling.md', 'utf8')
  const [, file = ''] = /`(bench\/results\/scale-[\w-]+\.json)`/.exec(page) ?? []
  const kept = globSync('bench/results/scale-*.json').map((name) => ({ name, report: read(name) }))
  const newest = kept.toSorted((a, b) => a.report.at.localeCompare(b.report.at)).at(-1)
  assert.equal(file, newest?.name, 'it names the newest result')
  for (const table of allTables(read(file))) assert.ok(page.includes(table), `docs/scaling.md does not hold:\n${table}`)
})

function read(file: string): ScaleReport & { readonly at: string } {
  return JSON.parse(readFileSync(file, 'utf8')) as ScaleReport & { at: string }
}

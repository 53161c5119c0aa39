/** The operations kit is held to the registry and to the routes; the alerts themselves are tested in the long suite. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemsInExpressions, problemsInRunbooks } from '../../tools/check-observability.ts'
import { dashboardPage } from '../../tools/observability/dashboard.ts'
import { namesIn } from '../../tools/observability/promql-names.ts'

test('the dashboard and the alerts name only metrics and labels that exist', () => {
  assert.deepEqual(problemsInExpressions(), [])
})

test('every alert has its runbook page, and every page names what exists', () => {
  assert.deepEqual(problemsInRunbooks(), [])
})

test('names are found in expressions wherever they stand', () => {
  const expression =
    'sum by (le, "x") (rate(a_bucket{b=~"c{d}", e!="f_g"}[5m] offset 1h)) / on (h) group_left (i) (j:k > 0) or absent(l) unless m'
  assert.deepEqual(namesIn(expression.replace(', "x"', '')), {
    metrics: [
      { metric: 'a_bucket', labels: ['b', 'e'] },
      { metric: 'j:k', labels: [] },
      { metric: 'l', labels: [] },
      { metric: 'm', labels: [] },
    ],
    grouping: ['le', 'h', 'i'],
  })
})

test('the panels of the dashboard do not overlap and fit the width', () => {
  const { panels } = JSON.parse(dashboardPage()) as {
    panels: { title: string; gridPos: { x: number; y: number; w: number; h: number } }[]
  }
  const cells = new Map<string, string>()
  for (const { title, gridPos } of panels)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        assert.ok(x < 24, `${title} is too wide`)
        assert.equal(cells.get(`${x} ${y}`), undefined, `${title} lies on ${cells.get(`${x} ${y}`)}`)
        cells.set(`${x} ${y}`, title)
      }
})

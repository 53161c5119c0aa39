import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { nameOf } from '../support/api-coverage.ts'
import { type ControlPorts, listControlRoutes } from '../support/control-routes.ts'
import { extensionSamples } from '../support/extensions.ts'

const testSources = globSync('test/**/*.test.ts').map((file) => readFileSync(file, 'utf8'))

/** Whatever the path names is made when it is not there. */
const upserts = ['PUT /admin/pricing/{model_id}', ...extensionSamples.flatMap(({ upserts: own = [] }) => own)]

// The list is data: making it needs none of the ports.
const routes = listControlRoutes({} as ControlPorts)

test('every resource has a test file that accounts for all its declared answers', () => {
  const tags = [...new Set(routes.map((route) => route.tag))]
  const missing = tags.filter((tag) => {
    const check = `app.assertCovered('${tag}', isOwnStatus)`
    return !testSources.some((source) => source.includes(check))
  })
  assert.deepEqual(missing, [])
})

test('every route declares one success, the refusals of its access, and schemas for what it answers', () => {
  for (const route of routes) {
    const statuses = Object.keys(route.answers).map(Number)
    const [success, ...others] = statuses.filter((status) => status < 300)
    assert.ok(success !== undefined && others.length === 0, nameOf(route))
    assert.equal(route.answers[success]?.schema === undefined, success === 204, nameOf(route))
    assert.ok(statuses.includes(401) && statuses.includes(403), nameOf(route))
    if (route.path.includes('{') && !upserts.includes(nameOf(route))) assert.ok(statuses.includes(404), nameOf(route))
  }
})

test('no two routes answer the same request', () => {
  const names = routes.map(nameOf)
  assert.equal(new Set(names).size, names.length)
})

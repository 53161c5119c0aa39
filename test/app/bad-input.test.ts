/** Bad values for every field, parameter and id, made from the schemas themselves, so that a new field cannot be forgotten. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ZodType, z } from 'zod'
import type { ApiRoute } from '../../src/foundation/http/route.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { type ApiApp, type ApiRequest, startApiApp } from '../support/api-app.ts'
import { nameOf } from '../support/api-coverage.ts'
import type { Targets } from '../support/extensions.ts'
import { addTargets, sampleBody, samplePath, sampleQuery, stateOf } from './sample-requests.ts'

interface Json {
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Json[]
  readonly items?: Json
  readonly properties?: Readonly<Record<string, Json>>
  readonly required?: readonly string[]
}

let app: ApiApp
let targets: Targets
let apiRoutes: readonly ApiRoute[]
let untouched = ''

before(async () => {
  app = await startApiApp()
  targets = await addTargets(app)
  apiRoutes = app.routes.filter((route) => route.kind === 'api')
  untouched = await stateOf(app)
})
after(() => app.stop())

const describe = (schema: ZodType): Json => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json

const ofEachType: readonly (readonly [type: string, value: unknown])[] = [
  ['string', 'text'],
  ['number', 7.5],
  ['boolean', true],
  ['null', null],
  ['array', []],
  ['object', {}],
]

const oddTexts: readonly string[] = [
  '',
  'x'.repeat(10_000),
  'nul\u0000byte',
  'control\u0007character',
  'line\nbreak',
  'half \ud800 pair',
  '\udc00',
]

const numbersBeyond: readonly number[] = [-1, 0, 1e308, 2 ** 31, 1.5]

/** What a field must refuse, from what it says about itself. */
function badValues(field: Json): unknown[] {
  const options = field.anyOf ?? [field]
  const types = new Set(options.map((option) => option.type ?? (option.enum === undefined ? 'any' : 'string')))
  // A value of any type is judged by its own rules, which have their own tests.
  if (types.has('any')) return []
  const wrong = ofEachType
    .filter(([type]) => !types.has(type) && !(type === 'number' && types.has('integer')))
    .map(([, value]) => value)
  const bad: unknown[] = [...wrong]
  const text = options.find((option) => option.type === 'string')
  if (text !== undefined) {
    bad.push(...oddTexts)
    if (text.format === 'uuid') bad.push('7', `${newId()}0`, newId())
    if (text.format === 'date-time') bad.push('2026-01-01', '2026-02-30T00:00:00Z', '1999-12-31T23:59:59Z')
    if (text.enum !== undefined) bad.push('Admin', '__proto__')
  }
  const items = options.find((option) => option.type === 'array')?.items
  if (items !== undefined && items.type === 'string') bad.push(...badValues(items).map((value) => [value]))
  if (items !== undefined) bad.push(Array(1_000).fill(items.type === 'string' ? 'a.example' : {}))
  if (types.has('integer')) bad.push(...numbersBeyond.filter((value) => !isAccepted(value, field, options)))
  return bad
}

function isAccepted(value: number, field: Json, options: readonly Json[]): boolean {
  // A field that is clamped takes every whole number that JSON can carry exactly.
  if (field.description?.startsWith('Clamped') === true) return Number.isSafeInteger(value)
  return value === 0 && options.some((option) => (option as { minimum?: number }).minimum === 0)
}

async function assertRefused(route: ApiRoute, path: string, request: ApiRequest, what: string): Promise<string> {
  const { status, body } = await app.call(route.method, path, { as: app.admin, ...request })
  assert.equal(status, 400, `${nameOf(route)} ${what}: ${status} ${JSON.stringify(body)}`)
  assert.equal(body.error.type, 'invalid_request_error')
  return String(body.error.details?.[0]?.path ?? '')
}

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 40) ?? 'undefined'

test('every field of every body refuses what it is not, and the answer names the field', async () => {
  let tried = 0
  for (const route of apiRoutes) {
    if (route.body === undefined) continue
    const path = samplePath(route, targets)
    const fine = sampleBody(route, targets) as Record<string, unknown>
    for (const [field, json] of Object.entries(describe(route.body).properties ?? {}))
      for (const value of badValues(json)) {
        const named = await assertRefused(
          route,
          path,
          { body: { ...fine, [field]: value } },
          `${field}: ${shown(value)}`,
        )
        assert.equal(named.split('.')[0], field, `${nameOf(route)} ${field}: ${shown(value)}`)
        tried += 1
      }
  }
  assert.ok(tried > 500, String(tried))
})

test('required fields are required, unknown ones are named, and a body is an object', async () => {
  for (const route of apiRoutes) {
    if (route.body === undefined) continue
    const path = samplePath(route, targets)
    const fine = sampleBody(route, targets) as Record<string, unknown>
    for (const field of describe(route.body).required ?? []) {
      const { [field]: _left, ...rest } = fine
      assert.equal(await assertRefused(route, path, { body: rest }, `without ${field}`), field)
    }
    for (const field of ['nope', 'id', 'created_at', 'constructor', 'toString'])
      assert.equal(await assertRefused(route, path, { body: { ...fine, [field]: 1 } }, `with ${field}`), field)
    // A body that may be left out may be empty.
    const empty = route.body.safeParse(undefined).success ? [] : ['']
    for (const text of [
      '[]',
      '"text"',
      '7',
      'true',
      ...empty,
      '{',
      '{"a":1}{"b":2}',
      '\u0000',
      '{"__proto__":{"x":1}}',
    ])
      await assertRefused(route, path, { text, headers: { 'content-type': 'application/json' } }, `body ${text}`)
  }
})

/** Settings, models, requests, views and spend limits are named by words; everything else in a path must be a uuid. */
const named = new Set(['key', 'model_id', 'request_id', 'name', 'spend_limit_id'])

function idsIn({ path }: ApiRoute): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => !named.has(name))
}

test('every id in a path must be a uuid', async () => {
  for (const route of apiRoutes) {
    for (const name of idsIn(route))
      for (const bad of [
        '7',
        'null',
        '%00',
        '..%2fusers',
        `${newId()}0`,
        "'%20or%201=1",
        '%F0%9F%98%80',
        'x'.repeat(1_000),
      ]) {
        const path = samplePath(route, targets).replace(samplePath({ ...route, path: `{${name}}` }, targets), bad)
        const named = await assertRefused(route, path, { body: sampleBody(route, targets) }, `${name}: ${bad}`)
        assert.equal(named, name)
      }
  }
})

test('an id of nothing is 404 in a path, however it is written', async () => {
  const unknown = [
    '00000000-0000-0000-0000-000000000000',
    '11111111-1111-1111-1111-111111111111',
    newId().toUpperCase(),
  ]
  for (const route of apiRoutes)
    for (const id of route.path.includes('{') && idsIn(route).length === route.path.split('{').length - 1
      ? unknown
      : []) {
      const path = route.path.replace(/\{\w+\}/g, id)
      const { status } = await app.call(route.method, path, { as: app.admin, body: sampleBody(route, targets) })
      assert.equal(status, 404, `${nameOf(route)} ${id}`)
    }
})

test('every query parameter refuses what it is not, and unknown ones are named', async () => {
  const cursors = ['x', '', 'W10', 'WyJhIiwiYiIsImMiXQ', 'e30', '%00', '%F0%9F%98%80', 'A'.repeat(5_000)]
  const odd: Readonly<Record<string, readonly string[]>> = {
    limit: ['0', '-1', '1.5', 'x', '', '1e9', 'NaN', '1&limit=2'],
    cursor: cursors,
    page: cursors,
    sort: ['nope', '--name', '-', 'constructor', '__proto__', 'name,id', '%00'],
    q: ['%00', 'a%0Ab', 'x'.repeat(10_000), 'a&q=b'],
  }
  for (const route of apiRoutes) {
    const place = `${samplePath(route, targets)}?${sampleQuery(route)}&`
    // Lists in the vendor's form are as long as the vendor's.
    const tooMany = route.path.startsWith('/v1/organizations/') ? '1001' : '201'
    const properties = route.query === undefined ? {} : (describe(route.query).properties ?? {})
    for (const [name, json] of Object.entries(properties)) {
      const values = odd[name] ?? [
        '',
        '%00',
        'x'.repeat(10_000),
        ...(json.type === 'string' && json.enum ? ['nope'] : []),
      ]
      for (const value of name === 'limit' ? [...values, tooMany] : values) {
        await assertRefused(route, `${place}${name}=${value}`, {}, `?${name}=${value.slice(0, 20)}`)
      }
    }
    if (route.query === undefined) continue
    for (const name of ['nope', 'offset', 'constructor', '__proto__'])
      assert.equal(await assertRefused(route, `${place}${name}=1`, {}, `?${name}=1`), name)
  }
})

test('a search full of wildcards looks for exactly those characters', async () => {
  for (const q of ['%25'.repeat(100), '_'.repeat(300), '%5C', "'%20or%20''='", '%25_%25'])
    for (const path of [
      '/admin/keys',
      '/admin/teams',
      '/admin/users',
      '/admin/idps',
      '/admin/audit',
      '/admin/budgets',
    ]) {
      const { status, body } = await app.call('GET', `${path}?q=${q}`, { as: app.admin })
      assert.deepEqual([status, body.data.length], [200, 0], `${path} ${q}`)
    }
})

test('other media types, encodings and sizes are refused before the body is read', async () => {
  for (const route of apiRoutes) {
    if (route.body === undefined) continue
    const path = samplePath(route, targets)
    const send = async (request: ApiRequest) =>
      (await app.call(route.method, path, { as: app.admin, ...request })).status
    const text = JSON.stringify(sampleBody(route, targets))
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      assert.equal(await send({ text, headers: { 'content-type': type } }), 415, `${nameOf(route)} ${type}`)
    assert.equal(await send({ text, headers: { 'content-encoding': 'gzip' } }), 415)
    assert.equal(await send({ text: `{"x":"${'x'.repeat(1_100_000)}"}` }), 413)
  }
})

test('nothing of all this has changed anything', async () => {
  assert.equal(await stateOf(app), untouched)
  assert.equal(({} as { x?: number }).x, undefined)
})

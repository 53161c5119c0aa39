/** Remembers which declared answers were seen, and refuses every answer that was not declared or does not fit. */
import assert from 'node:assert/strict'
import type { Route } from '../../src/foundation/http/route.ts'

/** Refusals of the framework, the same on every route. */
const commonStatuses = [413, 415]

export interface Coverage {
  readonly record: (method: string, path: string, answer: { readonly status: number; readonly body: unknown }) => void
  readonly assertCovered: (tag: string, statuses: (declared: number) => boolean) => void
}

export function nameOf(route: Pick<Route, 'method' | 'path'>): string {
  return `${route.method} ${route.path}`
}

export function createCoverage(routes: readonly Route[]): Coverage {
  const seen = new Map<Route, Set<number>>()
  const matchers = routes
    .map((route) => ({ route, pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`) }))
    // A fixed path wins over a parameter, as in the router.
    .sort((a, b) => Number(a.route.path.includes('{')) - Number(b.route.path.includes('{')))

  return {
    record: (method, path, { status, body }) => {
      const bare = path.split('?', 1)[0] ?? ''
      const route = matchers.find((one) => one.route.method === method && one.pattern.test(bare))?.route
      if (route === undefined) return
      const declared = route.answers[status]
      assert.ok(
        declared !== undefined || commonStatuses.includes(status),
        `${nameOf(route)} answered ${status}, which it does not declare: ${JSON.stringify(body)}`,
      )
      // The parsed value has only declared fields: anything else in the answer shows as a difference.
      if (declared?.schema !== undefined) assert.deepEqual(declared.schema.parse(body), body)
      else if (status < 400) assert.equal(body, undefined)
      const statuses = seen.get(route) ?? new Set()
      seen.set(route, statuses.add(status))
    },
    assertCovered: (tag, statuses) => {
      const own = routes.filter((route) => route.tag === tag)
      assert.notEqual(own.length, 0, `there is no route with the tag ${tag}`)
      const missing = own.flatMap((route) =>
        Object.keys(route.answers)
          .map(Number)
          .filter((status) => statuses(status) && seen.get(route)?.has(status) !== true)
          .map((status) => `${nameOf(route)} ${status}`),
      )
      assert.deepEqual(missing, [], 'declared and never exercised')
    },
  }
}

/** Seen on every route by the role matrix (401, 403) and by the runs without a database (503). */
export function isOwnStatus(status: number): boolean {
  return ![401, 403, 503].includes(status)
}

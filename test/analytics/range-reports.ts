import type { Route } from '../../src/foundation/http/route.ts'

const base = '/admin/analytics/'

/** The names after `/admin/analytics/` of every report on a range, of modules and of extensions. */
export function rangeReportsOf(routes: readonly Route[]): readonly string[] {
  const reports = routes.filter((route) => route.kind === 'api' && route.query?.safeParse({ days: '7' }).success)
  return reports.filter(({ path }) => path.startsWith(base)).map(({ path }) => path.slice(base.length))
}

/** Which methods a path knows, for answering 405 instead of 404. Only asked when no route matched. */
import type { Route } from './route.ts'

export function createAllowedMethods(routes: readonly Route[]): (path: string) => readonly string[] {
  const patterns = routes.map((route) => ({ method: route.method, pattern: patternOf(route.path) }))
  return (path) => [...new Set(patterns.filter((entry) => entry.pattern.test(path)).map((entry) => entry.method))]
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${escaped}$`)
}

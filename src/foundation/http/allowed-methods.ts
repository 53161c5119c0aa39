/**
 * Which methods a path knows, for answering 405 instead of 404. Only asked when no route matched.
 * A few lines; a dependency would be larger.
 */
import type { Route } from './route.ts'

interface Template {
  readonly path: string
  readonly pattern: RegExp
  readonly methods: Set<string>
}

export function createAllowedMethods(routes: readonly Route[]): (path: string) => readonly string[] {
  const templates = new Map<string, Template>()
  for (const { path, method } of routes) {
    // `{id}` and `{key_id}` stand for the same in different routes of one path.
    const shape = path.replace(/\{\w+\}/g, '{}')
    const template = templates.get(shape) ?? { path: shape, pattern: buildPattern(shape), methods: new Set() }
    template.methods.add(method)
    templates.set(shape, template)
  }
  const byPrecision = [...templates.values()].sort((a, b) => (rankPath(a.path) < rankPath(b.path) ? -1 : 1))
  return (path) => [...(byPrecision.find(({ pattern }) => pattern.test(path))?.methods ?? [])]
}

/** Sorts `/a/b` before `/a/{}`: the router prefers them in this order, segment by segment. */
function rankPath(path: string): string {
  return path
    .split('/')
    .map((segment) => (segment.includes('{}') ? '1' : '0'))
    .join('')
}

function buildPattern(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll('{}', '[^/]+')
  return new RegExp(`^${escaped}$`)
}

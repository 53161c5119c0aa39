/** Liveness, readiness and the description of the API. None of them touches the database. */
import { z } from 'zod'
import { problem } from '../domain/errors.ts'
import { apiRoute, ok, type Route } from './route.ts'

export interface Lifecycle {
  readonly version: string
  /** Undefined when ready, else why not. */
  readonly whyNotReady: () => string | undefined
  readonly apiDescription: () => object
}

export function healthRoutes(lifecycle: Lifecycle): Route[] {
  return [
    ...(['GET', 'HEAD'] as const).flatMap((method) => probes(lifecycle, method)),
    apiRoute({
      method: 'GET',
      path: '/openapi.json',
      access: 'open',
      tag: 'Operations',
      summary: 'This description',
      answers: { 200: { text: 'OpenAPI 3.1' } },
      handle: () => ok(lifecycle.apiDescription()),
    }),
  ]
}

/** Load balancers and monitors may ask for the head alone. */
function probes(lifecycle: Lifecycle, method: 'GET' | 'HEAD'): Route[] {
  const health = { status: 'ok', version: lifecycle.version }
  const schema = z.object({ status: z.literal('ok'), version: z.string() })
  return [
    apiRoute({
      method,
      path: '/health',
      access: 'open',
      tag: 'Operations',
      summary: 'Liveness: the process answers',
      answers: { 200: { text: 'Alive', ...(method === 'GET' ? { schema } : {}) } },
      handle: () => ok(health),
    }),
    apiRoute({
      method,
      path: '/ready',
      access: 'open',
      tag: 'Operations',
      summary: 'Readiness: send traffic here',
      answers: { 200: { text: 'Ready' }, 503: { text: 'Starting or draining' } },
      handle: () => {
        const reason = lifecycle.whyNotReady()
        if (reason !== undefined) throw problem('not_ready', { reason }, { headers: { 'retry-after': '2' } })
        return ok({ status: 'ready', version: lifecycle.version })
      },
    }),
  ]
}

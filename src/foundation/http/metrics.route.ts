/** The Prometheus scrape. Open unless a token is configured. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { problem } from '../domain/errors.ts'
import type { Secret } from '../platform/secret.ts'
import { apiRoute, type Route } from './route.ts'

export function metricsRoute(scrape: () => Promise<string>, token: Secret | null): Route {
  return apiRoute({
    method: 'GET',
    path: '/metrics',
    access: 'open',
    tag: 'Operations',
    summary: 'Metrics in Prometheus text form',
    description: 'When METRICS_TOKEN is set, it must be sent as bearer token.',
    answers: { 200: { text: 'Prometheus text' }, 401: { text: 'METRICS_TOKEN was not sent' } },
    handle: async (call) => {
      if (token !== null && !carries(call.headers.authorization, token)) throw problem('metrics_token_required')
      return {
        status: 200,
        body: await scrape(),
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      }
    },
  })
}

/** Hashed first, so that the comparison takes as long for every length. */
function carries(header: string | undefined, token: Secret): boolean {
  const digest = (value: string): Buffer => createHash('sha256').update(value).digest()
  const [, sent = ''] = /^bearer +(.+)$/i.exec(header ?? '') ?? []
  return timingSafeEqual(digest(sent), digest(token.reveal()))
}

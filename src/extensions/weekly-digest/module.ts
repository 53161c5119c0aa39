/** Weekly digest: what a week has cost, sent on Monday morning. */
import type { Core, Extension } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { Budgets } from '../../modules/budgets/module.ts'
import { composeDigest, type DigestPorts } from './compose-digest.service.ts'
import { digestRoute } from './digest.route.ts'
import { sendWeeklyDigest } from './send-weekly-digest.loop.ts'

export function createExtension(
  core: Core,
  { budgets }: { readonly budgets: Pick<Budgets, 'readStandings'> },
): Extension {
  const { link, snapshot, clock } = core
  const ports = { ...core, readStandings: budgets.readStandings }
  const send = (): Promise<void> =>
    sendWeeklyDigest({
      findDatabase: link.find,
      timeZone: () => snapshot().settings.digest_time_zone,
      compose: (nowMs) => composeDigest(ports, nowMs),
      nowMs: clock.nowMs,
    })
  return {
    routes: listRoutes(ports),
    // Looks at the clock alone, except on Monday until it was sent.
    loops: [{ name: 'weekly-digest', intervalMs: 60_000, jitter: 0.5, run: send }],
  }
}

export function listRoutes(ports: DigestPorts): readonly Route[] {
  return [digestRoute(ports)]
}

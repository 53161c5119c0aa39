/** How safe this gateway is set up, what it keeps about people, and whom it calls. */
import { z } from 'zod'
import { forAdminsFromMemory } from '../../foundation/http/answers.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import { checkStates, type Posture, type Rule } from './check.ts'
import { keptAboutPeople } from './kept.service.ts'
import { networkRules } from './network-checks.ts'
import { reachedBy } from './reached.service.ts'
import { secretRules } from './secret-checks.ts'
import type { SecurityPorts } from './security-ports.ts'
import { signInRules } from './sign-in-checks.ts'
import { findStoredFacts } from './stored-facts.service.ts'

const checkSchema = z.object({
  id: z.string(),
  title: z.string(),
  state: z.enum(checkStates),
  found: z.string(),
  why: z.string(),
  fix: z.string().nullable(),
  settings: z.array(z.string()),
})

const securitySchema = z.object({
  version: z.string(),
  checked_at: z.iso.datetime(),
  checks: z.array(checkSchema),
  kept: z.array(
    z.object({
      what: z.string(),
      holds: z.string(),
      where: z.string(),
      how_long: z.string(),
      switch: z.string().nullable(),
    }),
  ),
  reached: z.array(z.object({ purpose: z.string(), address: z.string(), sends: z.string(), set_by: z.string() })),
})

const rules: readonly Rule[] = [...signInRules, ...networkRules, ...secretRules]

export function securityRoutes(ports: SecurityPorts): Route[] {
  return [
    apiRoute({
      method: 'GET',
      path: '/admin/security',
      access: 'admin',
      grants: ['audit:read'],
      tag: 'Security',
      summary: 'How safe the gateway is set up, what it keeps and whom it calls',
      description:
        'Each of `checks` is judged anew from the configuration and the settings in force on the answering instance, those to act on first; `settings` are the exact names of variables and settings that decide it, `fix` says what to do next. What only the database knows is `unknown` while it is away. `kept` is what is held about people, with the times in force. `reached` are the addresses that the gateway calls, by their origins alone.',
      answers: { 200: { text: 'The posture', schema: securitySchema }, ...forAdminsFromMemory },
      handle: async () => ok(securityBody(await readPosture(ports), ports)),
    }),
  ]
}

async function readPosture(ports: SecurityPorts): Promise<Posture> {
  const stored = await findStoredFacts(ports)
  const snapshot = ports.snapshot()
  return {
    facts: ports.security,
    snapshot,
    settings: snapshot.settings,
    stored,
    knownUrl: ports.findKnownUrl(),
    nowMs: ports.clock.nowMs(),
  }
}

function securityBody(posture: Posture, { notifications }: SecurityPorts): z.infer<typeof securitySchema> {
  const checks = rules.map(({ id, title, why, settings, judge }) => {
    const { state, found, fix } = judge(posture)
    return { id, title, state, found, why, fix, settings: [...settings] }
  })
  return {
    version: posture.facts.version,
    checked_at: new Date(posture.nowMs).toISOString(),
    checks: checks.sort((one, other) => checkStates.indexOf(one.state) - checkStates.indexOf(other.state)),
    kept: keptAboutPeople(posture).map(({ what, holds, where, howLong, switch: by }) => ({
      what,
      holds,
      where,
      how_long: howLong,
      switch: by,
    })),
    reached: reachedBy(posture, notifications.fallback).map(({ purpose, address, sends, setBy }) => ({
      purpose,
      address,
      sends,
      set_by: setBy,
    })),
  }
}

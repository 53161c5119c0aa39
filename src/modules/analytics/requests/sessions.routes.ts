/** What each sitting with a client cost, with the tree of its agents. */
import { z } from 'zod'
import type { Database } from '../../../foundation/database/database.ts'
import { invalidParameter } from '../../../foundation/domain/errors.ts'
import { usdFromNano } from '../../../foundation/domain/money.ts'
import { badInput, forAdmins } from '../../../foundation/http/answers.ts'
import { text, time } from '../../../foundation/http/fields.ts'
import { describePage, listQuery } from '../../../foundation/http/lists.ts'
import { apiRoute, ok, type Route } from '../../../foundation/http/route.ts'
import type { RoutePorts } from '../../../foundation/http/write-change.ts'
import { createSpendSessions, type SessionRecord, type SessionSums } from '../../spend/spend-sessions.store.ts'
import { findNames, matchContaining } from '../../spend/usage/usage-names.store.ts'
import { agentTree } from './agent-tree.ts'
import { findName } from './request-records.fields.ts'

const sums = {
  requests: z.int(),
  errors: z.int(),
  cost_usd: z.number(),
  tokens: z.object({ input: z.int(), output: z.int(), cache_read: z.int(), cache_write: z.int() }),
}

const sessionSchema = z.object({
  session_id: z.string(),
  user: z.string().nullable(),
  user_id: z.string().nullable(),
  team: z.string().nullable(),
  team_id: z.string().nullable(),
  key: z.string().nullable(),
  started_at: z.iso.datetime(),
  last_at: z.iso.datetime(),
  ...sums,
  agents: z.array(
    z.object({
      agent_id: z.string().nullable(),
      parent_agent_id: z.string().nullable(),
      depth: z.int(),
      started_at: z.iso.datetime(),
      last_at: z.iso.datetime(),
      models: z.array(z.string()),
      ...sums,
    }),
  ),
})

const query = z.strictObject({
  ...listQuery,
  user: text(320).optional(),
  team: text(100).optional(),
  from: time.optional(),
  to: time.optional(),
})

export function sessionRoutes(ports: RoutePorts): Route[] {
  return [
    apiRoute({
      method: 'GET',
      path: '/admin/sessions',
      access: 'admin',
      tag: 'Sessions',
      summary: 'Cost per client session with its tree of agents',
      description:
        'Sessions and agents are as the client names them in its headers. `agents` stand in the order of the tree, each after the one that started it, with its `depth`; the agent without an id is the conversation itself. `q` is a session id; `user` and `team` are parts of names, `(none)` those without one; `from` (included) and `to` (not) are about the first call. `sort`: started_at (newest first by default), last_at, cost_usd.',
      query,
      answers: { 200: { text: 'Sessions', schema: describePage(sessionSchema) }, ...badInput, ...forAdmins },
      handle: async (call) => {
        const database = ports.database()
        const page = await createSpendSessions(database.kysely).list(await buildFilter(database, call.query))
        return ok({ ...page, data: await sessionBodies(database, page.data) })
      },
    }),
  ]
}

async function buildFilter(database: Database, { q, user, team, from, to, ...page }: z.infer<typeof query>) {
  if (from !== undefined && to !== undefined && from > to) throw invalidParameter('from', 'must not be after "to".')
  const sessionId = q?.trim() ?? ''
  return {
    ...page,
    fromMs: from,
    toMs: to,
    sessionId: sessionId === '' ? undefined : sessionId,
    user: user === undefined ? undefined : await matchContaining(database.kysely, 'user', user),
    team: team === undefined ? undefined : await matchContaining(database.kysely, 'team', team),
  }
}

async function sessionBodies(database: Database, sessions: readonly SessionRecord[]) {
  const agents = Map.groupBy(await createSpendSessions(database.kysely).agents(sessions), (agent) => agent.sessionId)
  const ids = sessions.flatMap(({ userId, teamId, keyId }) => [userId, teamId, keyId])
  const names = await findNames(database.kysely, ids)
  return sessions.map((session) => ({
    session_id: session.sessionId,
    user: findName(session.userId, names),
    user_id: session.userId,
    team: findName(session.teamId, names),
    team_id: session.teamId,
    key: findName(session.keyId, names),
    started_at: session.startedAt.toISOString(),
    last_at: session.lastAt.toISOString(),
    ...sumsBody(session),
    agents: agentTree(agents.get(session.sessionId) ?? []).map(({ agent, depth }) => ({
      agent_id: agent.agentId,
      parent_agent_id: agent.parentAgentId,
      depth,
      started_at: agent.startedAt.toISOString(),
      last_at: agent.lastAt.toISOString(),
      models: [...agent.models].sort(),
      ...sumsBody(agent),
    })),
  }))
}

function sumsBody(sum: SessionSums) {
  return {
    requests: sum.requests,
    errors: sum.errors,
    cost_usd: usdFromNano(sum.costNanoUsd),
    tokens: {
      input: sum.inputTokens,
      output: sum.outputTokens,
      cache_read: sum.cacheReadTokens,
      cache_write: sum.cacheWriteTokens,
    },
  }
}

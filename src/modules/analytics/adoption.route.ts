/** How many people were invited, have connected, and are active: where a roll-out stands. */
import { z } from 'zod'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { id } from '../../foundation/http/fields.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { adoptionStages } from '../people/adoption.store.ts'
import { requireOwnTeam } from '../people/own-team.ts'
import { resolveFilter } from '../spend/usage/usage-names.store.ts'
import { readUsage } from '../spend/usage/usage-reader.store.ts'
import { nobody } from '../spend/usage/usage-source.store.ts'
import { countAdoption } from './adoption-counts.store.ts'
import { namesIn } from './analytics-route.service.ts'
import { filterQuery } from './usage-query.ts'
import { share } from './usage-records.ts'

const adoptionQuery = z.strictObject({ team: filterQuery.team })
type AdoptionQuery = z.infer<typeof adoptionQuery>

const stage = z.object({
  stage: z.enum(adoptionStages),
  people: z.int(),
  /** Of all who were invited. */
  share: z.number(),
  /** Of the stage before; null for the first. */
  share_of_previous: z.number().nullable(),
})

export function adoptionRoute(ports: RoutePorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/analytics/adoption',
    access: 'admin',
    grants: ['billing:read'],
    tag: 'Analytics',
    summary: 'From invited to active: where the roll-out stands now',
    description:
      '`invited` are the people who may sign in, without the administrator that the gateway made for itself. `connected` are those of them who ever made a call, whose client has asked for the models, or who are signed in at a terminal; `active` those with a call in the last seven days, to the quarter of an hour. A range is not part of the question: the people are those of now. `GET /admin/users` takes a stage as `adoption`. `team_id` is the team when it is about one.',
    query: adoptionQuery,
    answers: {
      200: {
        text: 'The stages',
        schema: z.object({ at: z.iso.datetime(), team_id: id.nullable(), stages: z.array(stage) }),
      },
      ...badInput,
      ...forAdmins,
    },
    handle: ({ query }) => answer(ports, query),
    handleForLead: ({ query }, teamId) => {
      requireOwnTeam(ports, teamId, ...namesIn(query.team))
      return answer(ports, query, teamId)
    },
  })
}

async function answer(ports: RoutePorts, query: AdoptionQuery, onlyTeamId?: string) {
  const nowMs = ports.clock.nowMs()
  const { kysely } = ports.database()
  const teamIds = onlyTeamId === undefined ? (await resolveFilter(kysely, query)).teamIds : [onlyTeamId]
  const counts = await readUsage(kysely, ({ db }) => countAdoption(db, nowMs, teamIds))
  const stages = adoptionStages.map((name, index) => {
    const before = adoptionStages[index - 1]
    return {
      stage: name,
      people: counts[name],
      share: share(counts[name], counts.invited),
      share_of_previous: before === undefined ? null : share(counts[name], counts[before]),
    }
  })
  const [first, ...others] = teamIds ?? []
  const teamId = first === undefined || first === nobody || others.length > 0 ? null : first
  return ok({ at: new Date(nowMs).toISOString(), team_id: teamId, stages })
}

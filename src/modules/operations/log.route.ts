/** The newest lines of the log of this instance, for those who have the admin role and not the machine. */
import { z } from 'zod'
import { badInput, forAdminsFromMemory } from '../../foundation/http/answers.ts'
import { id } from '../../foundation/http/fields.ts'
import { listQuery } from '../../foundation/http/lists.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import { readLogEntries, shownLevels } from './log-entries.ts'
import type { StatusPorts } from './status-ports.ts'

/** Of as many instances as anybody runs. */
const MAX_PLACES_CHARACTERS = 10_000

const places = z
  .string()
  .max(MAX_PLACES_CHARACTERS)
  .regex(/^[0-9a-fA-F-]{36}:\d{1,15}(,[0-9a-fA-F-]{36}:\d{1,15})*$/, { error: 'must be one or more cursors' })
  .optional()
  .meta({ description: 'Cursors of earlier answers, separated by commas; each instance finds its own.' })

const logSchema = z.object({
  instance_id: id,
  cursor: z.string(),
  left_out: z.int().describe('Entries that `limit` had no room for: the oldest.'),
  data: z.array(z.object({ at: z.iso.datetime(), level: z.enum(shownLevels), text: z.string() })),
})

export function logRoute({ status }: Pick<StatusPorts, 'status'>): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/logs',
    access: 'admin',
    grants: ['ops:operate'],
    tag: 'Log',
    summary: 'The newest lines of the log',
    description:
      'Of the instance that answers, which `instance_id` names: as many of its last lines as half a megabyte of memory holds, oldest first, without credentials. `level` is the least one; `q` looks in the text. With `after` only what is new since the answers that the cursors came with: who asks again and again through a load balancer sees every instance. Lines of `debug` and `trace`, which may hold what people write, are never among them.',
    query: z.strictObject({
      level: z.enum(shownLevels).default('info'),
      limit: listQuery.limit,
      q: listQuery.q,
      after: places,
    }),
    answers: { 200: { text: 'Lines', schema: logSchema }, ...badInput, ...forAdminsFromMemory },
    handle: ({ query: { level, q = '', limit, after } }) => {
      const { instanceId } = status.ownReport()
      const { text, end } = status.recentLog(findPlace(instanceId, after))
      const sought = q.toLowerCase()
      const least = shownLevels.indexOf(level)
      const found = readLogEntries(text).filter(
        (entry) => shownLevels.indexOf(entry.level) >= least && entry.text.toLowerCase().includes(sought),
      )
      const data = found.slice(-limit)
      return ok({
        instance_id: instanceId,
        cursor: `${instanceId}:${end}`,
        left_out: found.length - data.length,
        data,
      })
    },
  })
}

function findPlace(instanceId: string, after: string | undefined): number | undefined {
  const own = after?.split(',').find((place) => place.startsWith(`${instanceId}:`))
  return own === undefined ? undefined : Number(own.slice(instanceId.length + 1))
}

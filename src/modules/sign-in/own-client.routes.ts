/** What the gateway has seen of a person's client beside its requests. */
import { z } from 'zod'
import { forPersons, forReaders } from '../../foundation/http/answers.ts'
import { isoTime } from '../../foundation/http/fields.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { createUserStore } from '../people/users.store.ts'

export function ownClientRoutes(ports: RoutePorts): Route[] {
  return [
    apiRoute({
      method: 'GET',
      path: '/me/client',
      access: 'self-read',
      tag: 'Me',
      summary: 'Whether my client asks for the list of models',
      description:
        '`models_listed_at` is when a client of mine last called `GET /v1/models`, with a key, a session or a token, on any instance; exact to half a minute. A key that belongs to nobody gives null.',
      answers: {
        200: {
          text: 'What was seen',
          schema: z.object({ models_listed_at: z.iso.datetime().nullable() }),
        },
        ...forReaders,
        503: forPersons[503],
      },
      handle: async ({ caller }) => {
        const users = createUserStore(ports.database().kysely)
        const user = caller?.user ?? null
        const listedAtMs = user === null ? null : await users.findModelsListedAtMs(user.id)
        return ok({ models_listed_at: isoTime(listedAtMs) })
      },
    }),
  ]
}

/** Views of the portal under a name of one's own. Nobody else reads or writes them; whoever shall see one gets its address. */
import { z } from 'zod'
import { problem } from '../../foundation/domain/errors.ts'
import { badInput, forPersons, forReaders } from '../../foundation/http/answers.ts'
import { name } from '../../foundation/http/fields.ts'
import { apiRoute, noContent, ok, type Route } from '../../foundation/http/route.ts'
import { type RoutePorts, requirePerson, write } from '../../foundation/http/write-change.ts'
import { createSavedViewStore, type SavedView } from './saved-views.store.ts'

const tag = 'Saved views'
const MOST_VIEWS = 50

/** Pages whose address says all that they show. Signs that an address needs not are left out, so it can lead nowhere else. */
const ownAddress = /^#\/(?:org-analytics|requests|me\/requests)(?:\?[\w.~!$&'()*+,;=:@/?%-]*)?$/

const viewBody = z.strictObject({
  path: z
    .string()
    .max(4_000)
    .regex(ownAddress, 'must be #/org-analytics, #/requests or #/me/requests, with what is chosen there')
    .meta({ description: 'The part of the address from # on.' }),
})

const viewSchema = z.object({ name: z.string(), path: z.string(), updated_at: z.iso.datetime() })

const toBody = ({ name: own, path, updatedAt }: SavedView) => ({ name: own, path, updated_at: updatedAt })

export function ownViewRoutes(ports: RoutePorts): Route[] {
  return [
    apiRoute({
      method: 'GET',
      path: '/me/views',
      access: 'self-read',
      tag,
      summary: 'My saved views',
      description: 'By name. They are nobody else’s; a key without a person has none.',
      answers: {
        200: { text: 'Views', schema: z.object({ data: z.array(viewSchema) }) },
        ...forReaders,
        503: forPersons[503],
      },
      handle: async ({ caller }) => {
        const store = createSavedViewStore(ports.database().kysely)
        const user = caller?.user ?? null
        return ok({ data: user === null ? [] : (await store.list(user.id)).map(toBody) })
      },
    }),
    apiRoute({
      method: 'PUT',
      path: '/me/views/{name}',
      access: 'person',
      tag,
      summary: 'Save a view of the portal',
      description: `One that has the name is replaced. At most ${MOST_VIEWS}.`,
      params: z.object({ name }),
      body: viewBody,
      answers: {
        200: { text: 'The view', schema: viewSchema },
        ...badInput,
        409: { text: `There are ${MOST_VIEWS} already` },
        ...forPersons,
      },
      handle: async (call) => {
        const { id } = requirePerson(call)
        const view = { name: call.params.name, path: call.body.path }
        const saved = await write(ports, call, [], ({ tx }) => createSavedViewStore(tx).put(id, view, MOST_VIEWS))
        if (saved === undefined)
          throw problem('conflict', {
            reason: `You have ${MOST_VIEWS} saved views, which is the most. Delete one first.`,
          })
        return ok(toBody(saved))
      },
    }),
    apiRoute({
      method: 'DELETE',
      path: '/me/views/{name}',
      access: 'person',
      tag,
      summary: 'Delete one of my views',
      params: z.object({ name }),
      answers: {
        204: { text: 'Deleted' },
        ...badInput,
        404: { text: 'There is no view with this name' },
        ...forPersons,
      },
      handle: async (call) => {
        const { id } = requirePerson(call)
        const isGone = await write(ports, call, [], ({ tx }) => createSavedViewStore(tx).remove(id, call.params.name))
        if (!isGone) throw problem('not_found', { what: 'saved view' })
        return noContent
      },
    }),
  ]
}

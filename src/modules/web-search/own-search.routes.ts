/** A person's own search provider, used in the mode `enabled`. Without one it is DuckDuckGo. */
import { z } from 'zod'
import { problem } from '../../foundation/domain/errors.ts'
import { webSearchModes } from '../../foundation/domain/settings.ts'
import { defaultSearchProvider } from '../../foundation/domain/web-search.ts'
import { badInput, forPersons, forReaders } from '../../foundation/http/answers.ts'
import { apiRoute, noContent, ok, type Route } from '../../foundation/http/route.ts'
import { requirePerson, write } from '../../foundation/http/write-change.ts'
import { createSearchProviderStore, type SearchProviderRecord } from './search-providers.store.ts'
import {
  findAuditedProvider,
  findProviderBody,
  openProvider,
  providerBody,
  providerSchema,
  requireProvider,
  testBody,
  testSchema,
  trySearch,
} from './search-providers.ts'
import type { WebSearchPorts } from './web-search-ports.ts'

const tag = 'Me'
const path = '/me/search-provider'
const ownSchema = z.object({
  /** In the mode `global` and `disabled` the own provider is kept and not used. */
  mode: z.enum(webSearchModes),
  provider: providerSchema.nullable(),
})

export function ownSearchRoutes(ports: WebSearchPorts): Route[] {
  return [readOwn(ports), putOwn(ports), removeOwn(ports), testOwn(ports)]
}

function ownBody(ports: WebSearchPorts, record: SearchProviderRecord | undefined): z.infer<typeof ownSchema> {
  return { mode: ports.snapshot().settings.websearch_mode, provider: findProviderBody(record) ?? null }
}

function readOwn(ports: WebSearchPorts): Route {
  return apiRoute({
    method: 'GET',
    path,
    access: 'self-read',
    tag,
    summary: 'My search provider',
    description: 'With the mode that the administrators have set. No provider means DuckDuckGo.',
    answers: { 200: { text: 'The provider', schema: ownSchema }, ...forReaders, 503: forPersons[503] },
    handle: async ({ caller }) => {
      const providers = createSearchProviderStore(ports.database().kysely)
      const user = caller?.user ?? null
      return ok(ownBody(ports, user === null ? undefined : await providers.find(user.id)))
    },
  })
}

function putOwn(ports: WebSearchPorts): Route {
  return apiRoute({
    method: 'PUT',
    path,
    access: 'person',
    tag,
    summary: 'Choose my search provider',
    description:
      'An omitted `api_key` keeps the stored one only while `provider_type` and `api_url` stay the same. No answer carries the key.',
    body: providerBody,
    answers: { 200: { text: 'The provider', schema: ownSchema }, ...badInput, ...forPersons },
    handle: async (call) => {
      const userId = requirePerson(call).id
      const stored = await write(ports, call, [], async ({ tx, audit }) => {
        const providers = createSearchProviderStore(tx)
        const before = await providers.find(userId)
        const after = await providers.put(requireProvider(ports, call.body, { userId, stored: before }))
        audit({
          action: 'search_provider.update',
          target: `user:${userId}`,
          before: findAuditedProvider(before),
          after: findAuditedProvider(after),
        })
        return after
      })
      return ok(ownBody(ports, stored))
    },
  })
}

function removeOwn(ports: WebSearchPorts): Route {
  return apiRoute({
    method: 'DELETE',
    path,
    access: 'person',
    tag,
    summary: 'Go back to the default search provider',
    answers: { 204: { text: 'Nothing is stored any more' }, ...forPersons },
    handle: async (call) => {
      const userId = requirePerson(call).id
      await write(ports, call, [], async ({ tx, audit }) => {
        const providers = createSearchProviderStore(tx)
        const before = await providers.find(userId)
        if (before === undefined) return
        await providers.remove(userId)
        audit({ action: 'search_provider.delete', target: `user:${userId}`, before: findAuditedProvider(before) })
      })
      return noContent
    },
  })
}

function testOwn(ports: WebSearchPorts): Route {
  return apiRoute({
    method: 'POST',
    path: `${path}/test`,
    access: 'person',
    tag,
    summary: 'Try a search provider, stored or not yet',
    body: testBody,
    answers: {
      200: { text: 'What came of it', schema: testSchema },
      ...badInput,
      409: { text: 'Web search is switched off, or the stored key cannot be opened' },
      ...forPersons,
    },
    handle: async (call) => {
      const userId = requirePerson(call).id
      if (ports.snapshot().settings.websearch_mode === 'disabled')
        throw problem('conflict', { reason: 'Web search is switched off on this gateway.' })
      const stored = await createSearchProviderStore(ports.database().kysely).find(userId)
      const { query, provider_type: type, ...rest } = call.body ?? {}
      const chosen =
        type === undefined ? stored : requireProvider(ports, { ...rest, provider_type: type }, { userId, stored })
      const provider = (chosen && openProvider(ports, chosen)) ?? defaultSearchProvider
      return ok(await trySearch(ports, provider, query))
    },
  })
}

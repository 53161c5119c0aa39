/** The mode of web search, and the one provider that serves everybody in the mode `global`. */

import { z } from 'zod'
import type { Database } from '../../foundation/database/database.ts'
import { invalidField, problem } from '../../foundation/domain/errors.ts'
import { type WebSearchMode, webSearchModes } from '../../foundation/domain/settings.ts'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import { readActor, write } from '../../foundation/http/write-change.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { createSearchProviderStore, type SearchProviderRecord } from './search-providers.store.ts'
import {
  findAuditedProvider,
  findProviderBody,
  openProvider,
  providerBody,
  providerSchema,
  requireProvider,
  type TestBody,
  testBody,
  testSchema,
  trySearch,
} from './search-providers.ts'
import type { WebSearchPorts } from './web-search-ports.ts'

const tag = 'Web search'
const path = '/admin/websearch-mode'
const modeSchema = z.object({ mode: z.enum(webSearchModes), provider: providerSchema.optional() })
const newMode = z.strictObject({ mode: z.enum(webSearchModes), provider: providerBody.optional() })

export function webSearchRoutes(ports: WebSearchPorts): Route[] {
  return [readMode(ports), putMode(ports), testProvider(ports)]
}

function modeBody(mode: WebSearchMode, stored: SearchProviderRecord | undefined): z.infer<typeof modeSchema> {
  const provider = mode === 'global' ? findProviderBody(stored) : undefined
  return defined({ mode, provider })
}

function readMode(ports: WebSearchPorts): Route {
  return apiRoute({
    method: 'GET',
    path,
    access: 'admin',
    tag,
    summary: 'Read the mode of web search',
    description: 'In the mode `global` with the provider, its key left out.',
    answers: { 200: { text: 'The mode', schema: modeSchema }, ...forAdmins },
    handle: async () => {
      const { kysely } = ports.database()
      const mode = await ports.modeSetting(kysely).read()
      return ok(modeBody(mode, await createSearchProviderStore(kysely).find(null)))
    },
  })
}

function putMode(ports: WebSearchPorts): Route {
  return apiRoute({
    method: 'PUT',
    path,
    access: 'admin',
    tag,
    summary: 'Change the mode of web search',
    description:
      '`enabled`: everybody chooses a provider. `disabled`: the tool is taken out of requests. `global`: one provider serves everybody; it is stored and used again when it is left out later. An omitted `api_key` keeps the stored one only while `provider_type` and `api_url` stay the same.',
    body: newMode,
    answers: { 200: { text: 'The mode', schema: modeSchema }, ...badInput, ...forAdmins },
    handle: async (call) => {
      const { mode, provider } = call.body
      const stored = await write(ports, call, ['settings'], async ({ tx, audit }) => {
        const providers = createSearchProviderStore(tx)
        const setting = ports.modeSetting(tx)
        const before = await providers.find(null)
        const after =
          provider === undefined
            ? before
            : await providers.put(requireProvider(ports, provider, { userId: null, stored: before }, 'provider.'))
        if (mode === 'global' && after === undefined)
          throw invalidField('provider', 'global needs a provider, and none is stored')
        const modeBefore = await setting.read()
        await setting.put(mode, readActor(call).name)
        audit({
          action: 'websearch_mode.update',
          target: 'setting:websearch_mode',
          before: { mode: modeBefore, provider: findAuditedProvider(before) ?? null },
          after: { mode, provider: findAuditedProvider(after) ?? null },
        })
        return after
      })
      return ok(modeBody(mode, stored))
    },
  })
}

function testProvider(ports: WebSearchPorts): Route {
  return apiRoute({
    method: 'POST',
    path: `${path}/test`,
    access: 'admin',
    tag,
    summary: 'Try the provider for everybody, stored or not yet',
    body: testBody,
    answers: {
      200: { text: 'What came of it', schema: testSchema },
      ...badInput,
      409: { text: 'None is stored and none was sent, or the stored key cannot be opened' },
      ...forAdmins,
    },
    handle: async (call) => ok(await tryStoredOrSent(ports, ports.database(), call.body)),
  })
}

async function tryStoredOrSent(ports: WebSearchPorts, database: Database, body: TestBody = {}) {
  const { query, provider_type: type, ...rest } = body
  const stored = await createSearchProviderStore(database.kysely).find(null)
  const chosen =
    type === undefined ? stored : requireProvider(ports, { ...rest, provider_type: type }, { userId: null, stored })
  const provider = chosen && openProvider(ports, chosen)
  if (provider === undefined) throw problem('conflict', { reason: 'No provider is stored. Send one to test it.' })
  return await trySearch(ports, provider, query)
}

/** Runtime settings: read all, change one. */
import { z } from 'zod'
import type { Change } from '../../foundation/database/change.ts'
import { invalidField, Problem, problem } from '../../foundation/domain/errors.ts'
import { isSettingKey, type SettingKey, type Settings, settingSpecs } from '../../foundation/domain/settings.ts'
import { forAdmins } from '../../foundation/http/answers.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import { readActor, write } from '../../foundation/http/write-change.ts'
import { mistakesIn, wordsFor } from '../../foundation/platform/schema-mistakes.ts'
import { userBudget } from '../budgets/budget.fields.ts'
import { createSearchProviderStore } from '../web-search/search-providers.store.ts'
import type { SettingPorts } from './setting-ports.ts'
import { createSettingStore } from './settings.store.ts'

const tag = 'Settings'

export function settingRoutes(ports: SettingPorts): Route[] {
  return [readSettings(ports), putSetting(ports)]
}

function readSettings(ports: SettingPorts): Route {
  const { 401: noCredential, 403: noAdmin } = forAdmins
  return apiRoute({
    method: 'GET',
    path: '/admin/settings',
    access: 'admin',
    tag,
    summary: 'Read all settings',
    answers: {
      200: { text: 'One value for each key', schema: z.record(z.string(), z.unknown()) },
      401: noCredential,
      403: noAdmin,
    },
    handle: async () => ok(await currentSettings(ports)),
  })
}

/** From the database rather than from memory: another instance may have changed one a second ago. */
async function currentSettings(ports: SettingPorts): Promise<Settings> {
  try {
    return await createSettingStore(ports.database().kysely).read(ports.settingDefaults)
  } catch (error) {
    // failure-modes: database away. The settings in force here are in memory, whether or not there is a database.
    if (error instanceof Problem || (error as Error).name === 'DatabaseUnavailableError')
      return ports.snapshot().settings
    throw error
  }
}

function putSetting(ports: SettingPorts): Route {
  return apiRoute({
    method: 'PUT',
    path: '/admin/settings/{key}',
    access: 'admin',
    tag,
    summary: 'Change a setting',
    description: `In force here at once, on every other instance within 5 seconds. Keys: ${Object.entries(settingSpecs)
      .map(([key, spec]) => `\`${key}\`: ${spec.text}`)
      .join(' ')}`,
    params: z.object({ key: z.string() }),
    body: z.strictObject({ value: z.unknown() }),
    answers: {
      200: {
        text: 'The setting',
        schema: z.object({
          key: z.string(),
          value: z.unknown(),
          updated_at: z.iso.datetime(),
          updated_by: z.string(),
        }),
      },
      400: { text: 'The value does not fit the setting' },
      404: { text: 'There is no such setting' },
      ...forAdmins,
    },
    handle: async (call) => {
      const { key } = call.params
      if (!isSettingKey(key)) throw problem('not_found', { what: 'setting' })
      const value = requireValue(key, call.body.value)
      const stored = await write(ports, call, ['settings'], async (change) => {
        if (key === 'websearch_mode' && value === 'global') await requireGlobalProvider(change)
        const settings = createSettingStore(change.tx)
        const before = await settings.find(key)
        const after = await settings.put(key, value, readActor(call).name)
        change.audit({
          action: 'setting.update',
          target: `setting:${key}`,
          before: before === undefined ? ports.settingDefaults[key] : before.value,
          after: value,
        })
        return after
      })
      return ok({ key, value, updated_at: stored.updatedAt, updated_by: stored.updatedBy })
    },
  })
}

function requireValue(key: SettingKey, value: unknown): unknown {
  const mistake = settingSpecs[key].check(value)
  if (mistake !== undefined) throw invalidField('value', mistake)
  if (key !== 'default_budget' || value === null) return value
  const budget = userBudget.safeParse(value, { error: wordsFor })
  if (budget.success) return budget.data
  const [{ path, message } = { path: '', message: 'is not a budget' }] = mistakesIn(budget.error.issues, ['value'])
  throw invalidField(path, message)
}

/** `global` without a provider would leave everybody without web search. */
async function requireGlobalProvider({ tx }: Change): Promise<void> {
  if ((await createSearchProviderStore(tx).find(null)) === undefined)
    throw invalidField('value', 'global needs a provider. Store one with PUT /admin/websearch-mode.')
}

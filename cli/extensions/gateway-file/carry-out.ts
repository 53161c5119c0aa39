/** Carries out the steps of a plan, one call after the other. A step that fails stops it; running it again goes on from there. */
import { findRecord, type Kind, kinds } from '../../client/find-record.ts'
import type { Client } from '../../client/http-client.ts'
import type { Row } from '../../output/render.ts'
import { CliError } from '../../terminal/cli-error.ts'
import type { Step } from './plan.ts'
import { putDestination } from './put-destination.ts'
import { putIdp } from './put-idp.ts'
import { putSearchProvider } from './put-search-provider.ts'
import { type ResourceKind, splitName } from './resources.ts'

interface Hands {
  readonly client: Client
  /** Throws when there is none of that exact name. */
  readonly findId: (kind: Kind, name: string) => Promise<string>
}

interface Handler {
  readonly put: (hands: Hands, step: Step) => Promise<unknown>
  readonly remove?: (hands: Hands, step: Step) => Promise<unknown>
}

export async function carryOut(client: Client, steps: readonly Step[], done: (step: Step) => void): Promise<void> {
  const hands: Hands = { client, findId: (kind, name) => exactId(client, kind, name) }
  for (const step of steps) {
    const handler = handlers[step.kind]
    if (step.action === 'delete') await handler.remove?.(hands, step)
    else await handler.put(hands, step)
    done(step)
  }
}

async function exactId(client: Client, kind: Kind, name: string): Promise<string> {
  const record = await findRecord(client, kind, name)
  // A near match is good for a person, and wrong for a file.
  if (!kind.namesOf(record).includes(name))
    throw new CliError(`${kind.noun} "${name}" not found`, { exit: 'notFound', next: `causeway ${kind.listCommand}` })
  return record.id
}

const changedOnly = ({ changes }: Step): Row => Object.fromEntries(changes.map(({ field, to }) => [field, to]))

function named(kind: Kind, method: 'PUT' | 'PATCH'): Handler {
  return {
    put: async ({ client, findId }, step) =>
      step.action === 'create'
        ? client.send('POST', kind.path, { name: step.name, ...step.resource.fields })
        : client.send(method, `${kind.path}/${await findId(kind, step.name)}`, changedOnly(step)),
    remove: async ({ client, findId }, { name }) => client.send('DELETE', `${kind.path}/${await findId(kind, name)}`),
  }
}

function handleBudget(kind: Kind): Handler {
  const path = async ({ findId }: Hands, name: string) => `${kind.path}/${await findId(kind, name)}/budget`
  return {
    put: async (hands, { name, resource }) => hands.client.send('PUT', await path(hands, name), resource.fields),
    remove: async (hands, { name }) => hands.client.send('DELETE', await path(hands, name)),
  }
}

function managedSettings(buildPath: (hands: Hands, name: string) => Promise<string>): Handler {
  return {
    put: async (hands, { name, resource: { fields } }) => {
      const path = await buildPath(hands, name)
      const { settings } = fields
      return settings === null ? hands.client.send('DELETE', path) : hands.client.send('PUT', path, { settings })
    },
  }
}

const BETAS = '/admin/capabilities/overrides'

const handlers: Readonly<Record<ResourceKind, Handler>> = {
  'search-provider': { put: ({ client }, step) => putSearchProvider(client, step) },
  setting: {
    put: ({ client }, { name, resource }) =>
      client.send('PUT', `/admin/settings/${encodeURIComponent(name)}`, { value: resource.fields['value'] }),
  },
  'managed-settings': managedSettings(() => Promise.resolve('/admin/managed-settings')),
  endpoint: named(kinds.endpoint, 'PUT'),
  'aip-override': {
    put: async ({ client, findId }, { name, resource }) => {
      const [endpoint, model] = splitName(name)
      const path = `/admin/endpoints/${await findId(kinds.endpoint, endpoint)}/aip-overrides`
      await client.send('POST', path, { model_id: model, ...resource.fields })
    },
    remove: async ({ client, findId }, { name }) => {
      const [endpoint, model] = splitName(name)
      const id = await findId(kinds.endpoint, endpoint)
      await client.send('DELETE', `/admin/endpoints/${id}/aip-overrides/${encodeURIComponent(model)}`)
    },
  },
  'beta-override': {
    put: async ({ client, findId }, { name, resource }) => {
      const [endpoint] = splitName(name)
      await client.send('PUT', BETAS, { endpoint_id: await findId(kinds.endpoint, endpoint), ...resource.fields })
    },
    remove: async ({ client, findId }, { name, resource: { fields } }) => {
      const [endpoint] = splitName(name)
      const { profile_id, beta_name } = fields
      await client.send('DELETE', BETAS, { endpoint_id: await findId(kinds.endpoint, endpoint), profile_id, beta_name })
    },
  },
  'default-endpoint': {
    put: async ({ client, findId }, { resource }) =>
      client.send(
        'PUT',
        `/admin/endpoints/${await findId(kinds.endpoint, String(resource.fields['endpoint']))}/default`,
        {},
      ),
  },
  team: named(kinds.team, 'PATCH'),
  'team-routing': {
    put: async ({ client, findId }, { name, resource }) => {
      const wanted = resource.fields as { readonly strategy: string; readonly endpoints: readonly Row[] }
      const endpoints: Row[] = []
      for (const one of wanted.endpoints)
        endpoints.push({ endpoint_id: await findId(kinds.endpoint, one.name), priority: one.priority })
      const path = `/admin/teams/${await findId(kinds.team, name)}/endpoints`
      await client.send('PUT', path, { routing_strategy: wanted.strategy, endpoints })
    },
    remove: async ({ client, findId }, { name }) =>
      client.send('PUT', `/admin/teams/${await findId(kinds.team, name)}/endpoints`, { endpoints: [] }),
  },
  'team-budget': handleBudget(kinds.team),
  'team-managed-settings': managedSettings(
    async ({ findId }, name) => `${kinds.team.path}/${await findId(kinds.team, name)}/managed-settings`,
  ),
  'user-budget': handleBudget(kinds.user),
  'model-mapping': {
    put: ({ client }, { name, resource }) =>
      client.send('PUT', `/admin/model-mappings/${encodeURIComponent(name)}`, resource.fields),
    remove: ({ client }, { name }) => client.send('DELETE', `/admin/model-mappings/${encodeURIComponent(name)}`),
  },
  price: {
    put: ({ client }, { name, resource }) => {
      const [model, scope] = splitName(name)
      return client.send('PUT', `/admin/pricing/${encodeURIComponent(model)}`, { ...resource.fields, scope })
    },
    remove: ({ client }, { name }) => {
      const [model, scope] = splitName(name)
      return client.send('DELETE', `/admin/pricing/${encodeURIComponent(model)}?scope=${scope}`)
    },
  },
  idp: {
    ...named(kinds.idp, 'PATCH'),
    put: ({ client, findId }, step) => putIdp(client, () => findId(kinds.idp, step.name), step),
  },
  'notification-destination': { put: ({ client }, step) => putDestination(client, step) },
  'notification-categories': {
    put: ({ client }, { resource }) =>
      client.send('PUT', '/admin/notifications/categories', { categories: resource.fields }),
  },
}

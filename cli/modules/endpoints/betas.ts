/** `causeway betas`: what profiles take, and an administrator's own word about it. */
import { defined } from '../../../src/foundation/platform/defined.ts'
import { findExactId, kinds } from '../../client/find-record.ts'
import type { Arg, Leaf, Noun } from '../../command/command.ts'
import { type Context, change, printList } from '../../command/context.ts'
import { trueOrFalse } from '../../command/option-values.ts'
import { paintStatus } from '../../output/paint.ts'
import type { Row } from '../../output/render.ts'
import { relativeTime } from '../../output/shown.ts'
import type { Column } from '../../output/table.ts'

const OVERRIDES = '/admin/capabilities/overrides'

const keyArgs: readonly Arg[] = [
  { name: '<endpoint-id>', text: 'id or exact name of the endpoint', values: 'endpoints' },
  { name: '<profile-id>', text: 'inference profile, such as us.anthropic.claude-sonnet-5' },
  { name: '<beta-name>', text: 'such as context-1m-2025-08-07' },
]

const override: Leaf = {
  name: 'override',
  summary: 'decide for good whether a profile on an endpoint takes a beta',
  kind: 'write',
  routes: ['PUT /admin/capabilities/overrides'],
  args: [...keyArgs, { name: '<supported>', text: 'true or false', parse: trueOrFalse }],
  options: [{ flags: '--reason <text>', text: 'why, for other administrators' }],
  examples: ['betas override main us.anthropic.claude-sonnet-5 context-1m-2025-08-07 true --reason "checked by hand"'],
  run: async (context, [endpoint, profile, beta, supported], { reason }) => {
    const key = await findOverrideKey(context, endpoint, profile, beta)
    await change(context, {
      method: 'PUT',
      path: OVERRIDES,
      body: { ...key, supported, ...defined({ reason }) },
      done: () => `${beta} counts as ${supported ? 'supported' : 'unsupported'} by ${profile}, whatever probes say.`,
    })
  },
}

const clear: Leaf = {
  name: 'clear',
  aliases: ['clear-override'],
  summary: 'take an override back, so that probes and traffic decide again',
  kind: 'write',
  routes: ['DELETE /admin/capabilities/overrides'],
  args: keyArgs,
  examples: ['betas clear main us.anthropic.claude-sonnet-5 context-1m-2025-08-07'],
  run: async (context, [endpoint, profile, beta]) => {
    await change(context, {
      method: 'DELETE',
      path: OVERRIDES,
      body: await findOverrideKey(context, endpoint, profile, beta),
      done: () => `Probes and traffic decide about ${beta} on ${profile} again.`,
    })
  },
}

async function findOverrideKey(context: Context, endpoint: string, profile: string, beta: string) {
  // An override counts for good, so the endpoint is never guessed from a part of its name.
  const endpointId = await findExactId(await context.client(), kinds.endpoint, endpoint)
  return { endpoint_id: endpointId, profile_id: profile, beta_name: beta }
}

export const listCapabilities: Leaf = {
  name: 'list',
  summary: 'list what is known',
  kind: 'list',
  routes: ['GET /admin/capabilities'],
  options: [{ flags: '--endpoint <name>', text: 'of one endpoint only', values: 'endpoints' }],
  examples: ['betas list --endpoint main', 'betas list --all --json'],
  run: async (context, _args, { endpoint }) => {
    const endpointId =
      endpoint === undefined ? undefined : await findExactId(await context.client(), kinds.endpoint, endpoint)
    const columns: readonly Column<Row>[] = [
      { name: 'endpoint', value: (row) => row.endpoint_name ?? row.endpoint_id },
      { name: 'profile', value: (row) => row.profile_id },
      { name: 'beta', value: (row) => row.beta_name },
      {
        name: 'verdict',
        value: (row) => row.verdict,
        paint: (text, row) => text.replace(row.verdict, paintStatus(context.paint, row.verdict)),
      },
      { name: 'source', value: (row) => row.source },
      { name: 'reason', value: (row) => row.reason },
      {
        name: 'expires',
        value: (row) => row.expires_at,
        shown: (row) => relativeTime(row.expires_at, context.io.nowMs()),
        wide: true,
      },
    ]
    await printList(context, {
      path: '/admin/capabilities',
      query: { endpoint_id: endpointId },
      columns,
      empty: 'Nothing is known yet.',
    })
  },
}

export const betas: Noun = {
  name: 'betas',
  summary: 'what inference profiles take, and overrides of it',
  leaves: [listCapabilities, override, clear],
}

/** `causeway endpoints`: accounts and regions that serve models. */
import { defined } from '../../../src/foundation/platform/defined.ts'
import { findId, findRecord, kinds } from '../../client/find-record.ts'
import type { Arg, Leaf, Noun, Opt } from '../../command/command.ts'
import {
  type Context,
  change,
  printInner,
  printList,
  printRecord,
  requireOptions,
  type Values,
} from '../../command/context.ts'
import { ago } from '../../command/moments.ts'
import { orNone, trueOrFalse, wholeNumber } from '../../command/option-values.ts'
import { columnKit, warningTexts, wide } from '../../output/columns.ts'
import type { Row } from '../../output/render.ts'
import { count } from '../../output/shown.ts'
import { type Column, harmless } from '../../output/table.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { hasOwnProfiles, isMissing, isNeeded, type PermissionRow, toAction } from './endpoint-permissions.ts'
import { listTeamLines } from './endpoint-teams.ts'

const endpointArg: Arg = { name: '<endpoint>', text: 'name or id of the endpoint', values: 'endpoints' }
const prefixes = ['us', 'eu', 'apac', 'au', 'us-gov', 'global', 'jp', 'in'] as const
const LOWEST_PRIORITY = 1_000_000

const fieldOptions: readonly Opt[] = [
  { flags: '--region <region>', text: 'cloud region, such as eu-west-1' },
  { flags: '--prefix <prefix>', text: 'routing prefix of its profiles', choices: prefixes },
  { flags: '--priority <n>', text: 'lower is tried first', parse: wholeNumber(0, LOWEST_PRIORITY) },
  { flags: '--enabled <bool>', text: 'true or false', parse: trueOrFalse },
  { flags: '--role-arn <arn>', text: 'role to assume; none', parse: orNone(String) },
  { flags: '--external-id <id>', text: 'external id of that role; none', parse: orNone(String) },
]

function readFields(values: Values): Row {
  const named = {
    region: values['region'],
    routing_prefix: values['prefix'],
    priority: values['priority'],
    enabled: values['enabled'],
    role_arn: values['roleArn'],
    external_id: values['externalId'],
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}

function buildColumns(context: Context): readonly Column<Row>[] {
  const kit = columnKit(context.output)
  return [
    { ...kit.text('name'), shown: (row) => `${row.name}${row.is_default ? ' *' : ''}` },
    kit.text('region'),
    kit.text('prefix', 'routing_prefix'),
    kit.number('priority', 'priority'),
    kit.flag('enabled', 'enabled'),
    kit.status('health', 'health_status'),
    { name: 'models', value: (row) => row.available_models?.length, right: true },
    kit.number('requests/h', 'stats.requests_1h'),
    kit.number('errors/h', 'stats.errors_1h'),
    kit.number('throttles/h', 'stats.throttles_1h'),
    kit.ms('p50', 'stats.latency_p50_ms_1h'),
    wide(kit.ms('p95', 'stats.latency_p95_ms_1h')),
    wide(kit.text('role', 'role_arn')),
    wide(kit.text('reason', 'health_reason')),
    kit.id,
  ]
}

const list: Leaf = {
  name: 'list',
  summary: 'list endpoints with health and the last hour; * is the default',
  kind: 'list',
  routes: ['GET /admin/endpoints'],
  examples: ['endpoints list', 'endpoints list -o wide'],
  run: (context) =>
    printList(context, { path: '/admin/endpoints', columns: buildColumns(context), empty: 'There are no endpoints.' }),
}

const show: Leaf = {
  name: 'show',
  summary: 'show one endpoint',
  kind: 'read',
  routes: ['GET /admin/endpoints/{id}'],
  args: [endpointArg],
  examples: ['endpoints show main'],
  run: async (context, [reference]) => {
    const kit = columnKit(context.output)
    const record = await findRecord(await context.client(), kinds.endpoint, reference)
    await printRecord(context, record, [
      ...buildColumns(context),
      kit.time('checked', 'last_checked_at'),
      kit.text('external id', 'external_id'),
      { name: 'AIP overrides', value: (row) => row.aip_overrides?.map((one: Row) => one.model_id).join(', ') },
      kit.list('available models', 'available_models'),
      { name: 'warnings', value: warningTexts },
    ])
  },
}

const create: Leaf = {
  name: 'create',
  summary: 'add an endpoint',
  kind: 'write',
  routes: ['POST /admin/endpoints'],
  args: [{ name: '<name>', text: 'unique' }],
  options: fieldOptions,
  examples: [
    'endpoints create eu-west --region eu-west-1 --prefix eu --priority 20',
    'endpoints create shared --region us-east-1 --prefix us --role-arn arn:aws:iam::111122223333:role/models --external-id causeway',
  ],
  run: async (context, [name], values) => {
    await change(context, {
      method: 'POST',
      path: '/admin/endpoints',
      body: { name, ...readFields(values) },
      done: (made) =>
        `Added the endpoint "${made.name}" (${made.id}). Check it with "causeway endpoints check ${made.name}".`,
    })
  },
}

const update: Leaf = {
  name: 'update',
  summary: 'change an endpoint',
  kind: 'write',
  routes: ['PUT /admin/endpoints/{id}'],
  args: [endpointArg],
  options: [
    { flags: '--name <name>', text: 'another name' },
    ...fieldOptions,
    { flags: '-y, --yes', text: 'do not ask before teams without another endpoint stop' },
  ],
  examples: ['endpoints update eu-west --priority 5', 'endpoints update eu-west --enabled false'],
  run: async (context, [reference], values) => {
    const fields = { ...defined({ name: values['name'] }), ...readFields(values) }
    const body = requireOptions(fields, 'endpoints update')
    const client = await context.client()
    const endpoint = await findRecord(client, kinds.endpoint, reference)
    const isDisabled = endpoint.enabled && fields['enabled'] === false
    const lines = isDisabled ? await listTeamLines(client, endpoint.id, 'if_disabled') : []
    await change(context, {
      method: 'PUT',
      path: `/admin/endpoints/${endpoint.id}`,
      body,
      ...(lines.length === 0 ? {} : { confirm: [`Disable the endpoint "${endpoint.name}"?`, ...lines].join('\n') }),
      done: (record) => `Changed the endpoint "${record.name}".`,
    })
  },
}

const remove: Leaf = {
  name: 'delete',
  summary: 'delete an endpoint',
  kind: 'destroy',
  routes: ['DELETE /admin/endpoints/{id}'],
  args: [endpointArg],
  examples: ['endpoints delete eu-west --yes'],
  run: async (context, [reference]) => {
    const client = await context.client()
    const endpoint = await findRecord(client, kinds.endpoint, reference)
    const lines = await listTeamLines(client, endpoint.id, 'if_deleted')
    await change(context, {
      method: 'DELETE',
      path: `/admin/endpoints/${endpoint.id}`,
      confirm: [
        `Delete the endpoint "${endpoint.name}" with its ${endpoint.aip_overrides?.length ?? 0} AIP overrides?`,
        ...(lines.length === 0 ? ['No team loses its last endpoint.'] : lines),
      ].join('\n'),
      done: () => `Deleted the endpoint "${endpoint.name}".`,
    })
  },
}

const makeDefault: Leaf = {
  name: 'default',
  summary: 'make an endpoint the default',
  kind: 'write',
  routes: ['PUT /admin/endpoints/{id}/default'],
  args: [endpointArg],
  examples: ['endpoints default eu-west'],
  run: async (context, [reference]) => {
    const id = await findId(await context.client(), kinds.endpoint, reference)
    await change(context, {
      method: 'PUT',
      path: `/admin/endpoints/${id}/default`,
      body: {},
      done: (record) => `"${record.name}" is the default endpoint.`,
    })
  },
}

const drain: Leaf = {
  name: 'drain',
  summary: 'take an endpoint out of service',
  kind: 'destroy',
  routes: ['GET /admin/endpoints/{id}/drain'],
  args: [endpointArg],
  about:
    'Shows first which teams use it and where their calls go. New calls leave it within 5 seconds on every instance, running ones end by themselves. "causeway endpoints update <endpoint> --enabled true" puts it back.',
  examples: ['endpoints drain eu-west'],
  run: async (context, [reference]) => {
    const client = await context.client()
    const id = await findId(client, kinds.endpoint, reference)
    const preview = await client.get(`/admin/endpoints/${id}/drain`)
    if (!preview.enabled) throw new CliError(`"${preview.name}" gets no calls already`, { exit: 'conflict' })
    await change(context, {
      method: 'PUT',
      path: `/admin/endpoints/${id}`,
      body: { enabled: false },
      confirm: [
        `Take "${preview.name}" out of service? It served ${count(preview.requests_1h)} calls in the last hour.`,
        ...preview.teams.map(describeWay),
        ...(preview.teams.length === 0 ? ['No team has it assigned.'] : []),
      ].join('\n'),
      done: () => `"${preview.name}" gets no new calls; every instance follows within 5 seconds.`,
    })
  },
}

function describeWay({ name, next }: Row): string {
  const team = harmless(name)
  if (next === null) return `  ${team}: has no other endpoint, so its calls will be refused`
  return `  ${team}: goes to ${harmless(next.name)}${next.health_status === 'healthy' ? '' : ` (${next.health_status})`}`
}

const check: Leaf = {
  name: 'check',
  summary: 'check health and every permission of an endpoint now',
  kind: 'read',
  routes: ['POST /admin/endpoints/{id}/check'],
  args: [endpointArg],
  about: 'Ends with code 8 when the endpoint is not healthy, or a permission that it needs is missing.',
  examples: ['endpoints check main'],
  run: async (context, [reference]) => {
    const client = await context.client()
    const endpoint = await findRecord(client, kinds.endpoint, reference)
    const found = await client.send('POST', `/admin/endpoints/${endpoint.id}/check`, {})
    const kit = columnKit(context.output)
    await printInner(context, {
      document: found,
      rows: found.permissions,
      columns: [kit.text('permission'), kit.status('status'), kit.text('target'), kit.text('message')],
      empty: 'Nothing was checked.',
    })
    if (found.health_status !== 'healthy')
      throw new CliError(
        `the endpoint is ${found.health_status}${found.health_reason === null ? '' : `: ${found.health_reason}`}`,
        { exit: 'checkFailed' },
      )
    const missing: readonly PermissionRow[] = found.permissions.filter(
      (row: PermissionRow) => isMissing(row) && isNeeded(row, hasOwnProfiles(endpoint)),
    )
    if (missing.length > 0)
      throw new CliError(
        missing.map((row) => `${toAction(row)} ${row.status === 'denied' ? 'is denied' : 'failed'}`).join(', '),
        {
          exit: 'checkFailed',
          next: 'causeway doctor says what to allow',
        },
      )
  },
}

/** Asked of the account itself, which may refuse: the answer then has a reason instead of rows. */
async function printWhatItHas(
  context: Context,
  reference: string,
  what: 'models' | 'quotas',
  columns: readonly Column<Row>[],
): Promise<void> {
  const client = await context.client()
  const document = await client.get(`/admin/endpoints/${await findId(client, kinds.endpoint, reference)}/${what}`)
  await printInner(context, {
    document,
    rows: document.data,
    columns,
    empty: document.unavailable_reason ?? 'There are none.',
  })
}

const models: Leaf = {
  name: 'models',
  summary: 'list the inference profiles that an endpoint can invoke',
  kind: 'read',
  routes: ['GET /admin/endpoints/{id}/models'],
  args: [endpointArg],
  examples: ['endpoints models main'],
  run: (context, [reference]) => {
    const kit = columnKit(context.output)
    return printWhatItHas(context, reference, 'models', [
      kit.text('profile', 'profile_id'),
      kit.text('model', 'model_id'),
      kit.text('name'),
      kit.status('status'),
      kit.text('type'),
    ])
  },
}

const quotas: Leaf = {
  name: 'quotas',
  summary: "read an endpoint's service quotas",
  kind: 'read',
  routes: ['GET /admin/endpoints/{id}/quotas'],
  args: [endpointArg],
  examples: ['endpoints quotas main'],
  run: (context, [reference]) => {
    const kit = columnKit(context.output)
    return printWhatItHas(context, reference, 'quotas', [
      kit.text('name'),
      kit.number('value', 'value'),
      kit.text('unit'),
      kit.flag('adjustable', 'adjustable'),
      wide(kit.text('code')),
    ])
  },
}

const history: Leaf = {
  name: 'history',
  summary: 'show one hour of the endpoints, minute by minute',
  kind: 'read',
  routes: ['GET /admin/health/history'],
  options: [{ flags: '--at <when>', text: 'the hour around a moment, such as 3h or 2027-01-31T09:00:00Z', parse: ago }],
  examples: ['endpoints history', 'endpoints history --at 3h'],
  run: async (context, _args, { at }) => {
    const client = await context.client()
    const document = await client.get('/admin/health/history', { at })
    const kit = columnKit(context.output)
    await printInner(context, {
      document,
      rows: document.endpoints.flatMap(({ name, minutes }: Row) => minutes.map((one: Row) => ({ name, ...one }))),
      columns: [
        kit.text('name'),
        kit.time('minute', 'at'),
        kit.number('requests', 'requests'),
        kit.number('errors', 'errors'),
        kit.number('throttled', 'throttled'),
        wide(kit.number('first token p95 ms', 'first_token_p95_ms')),
      ],
      empty: 'No endpoint was called in this hour.',
    })
  },
}

export const endpoints: Noun = {
  name: 'endpoints',
  summary: 'accounts and regions that serve models',
  leaves: [list, show, create, update, remove, makeDefault, drain, check, models, quotas, history],
}

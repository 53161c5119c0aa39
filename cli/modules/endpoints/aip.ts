/** `causeway aip`: models that an endpoint invokes through an application inference profile. */
import { defined } from '../../../src/foundation/platform/defined.ts'
import { findId, kinds } from '../../client/find-record.ts'
import type { Arg, Leaf, Noun } from '../../command/command.ts'
import { change, printInner } from '../../command/context.ts'
import { columnKit, warningTexts } from '../../output/columns.ts'

const endpointArg: Arg = { name: '<endpoint>', text: 'name or id of the endpoint', values: 'endpoints' }
const modelArg: Arg = { name: '<model>', text: 'logical model id, such as claude-sonnet-5', values: 'models' }

const list: Leaf = {
  name: 'list',
  summary: 'list the AIP overrides of an endpoint',
  kind: 'read',
  routes: ['GET /admin/endpoints/{id}/aip-overrides'],
  args: [endpointArg],
  examples: ['aip list main'],
  run: async (context, [endpoint]) => {
    const client = await context.client()
    const document = await client.get(
      `/admin/endpoints/${await findId(client, kinds.endpoint, endpoint)}/aip-overrides`,
    )
    const kit = columnKit(context.output)
    await printInner(context, {
      document,
      rows: document.data,
      columns: [
        kit.text('model', 'model_id'),
        kit.text('arn', 'aip_arn'),
        kit.text('set by', 'set_by'),
        kit.text('reason'),
        kit.time('updated', 'updated_at'),
        { name: 'warnings', value: warningTexts },
      ],
      empty: 'There are none: every model goes through the cross-region profile.',
    })
  },
}

const set: Leaf = {
  name: 'set',
  summary: 'invoke a model through an application inference profile',
  kind: 'write',
  routes: ['POST /admin/endpoints/{id}/aip-overrides'],
  args: [endpointArg, modelArg, { name: '<arn>', text: 'ARN of the profile' }],
  options: [{ flags: '--reason <text>', text: 'why, for other administrators' }],
  examples: [
    'aip set main claude-sonnet-5 arn:aws:bedrock:us-east-1:111122223333:application-inference-profile/abc123',
  ],
  run: async (context, [endpoint, model, arn], { reason }) => {
    const id = await findId(await context.client(), kinds.endpoint, endpoint)
    await change(context, {
      method: 'POST',
      path: `/admin/endpoints/${id}/aip-overrides`,
      body: defined({ model_id: model, aip_arn: arn, reason }),
      done: (made) => {
        const warning = warningTexts(made)
        return `${made.model_id} goes through ${made.aip_arn}.${warning ? `\nWarning: ${warning}` : ''}`
      },
    })
  },
}

const remove: Leaf = {
  name: 'delete',
  summary: 'remove the AIP override of a model',
  kind: 'destroy',
  routes: ['DELETE /admin/endpoints/{id}/aip-overrides/{model_id}'],
  args: [endpointArg, modelArg],
  examples: ['aip delete main claude-sonnet-5 --yes'],
  run: async (context, [endpoint, model]) => {
    const id = await findId(await context.client(), kinds.endpoint, endpoint)
    await change(context, {
      method: 'DELETE',
      path: `/admin/endpoints/${id}/aip-overrides/${encodeURIComponent(model)}`,
      confirm: `Remove the override of ${model} on ${endpoint}? Its calls lose the tags of that profile.`,
      done: () => `${model} goes through the cross-region profile.`,
    })
  },
}

export const aip: Noun = {
  name: 'aip',
  summary: 'application inference profiles of an endpoint',
  leaves: [list, set, remove],
}

/** `causeway models`: which models there are and what a model id means here. */
import { defined } from '../../../src/foundation/platform/defined.ts'
import { findId, kinds } from '../../client/find-record.ts'
import type { Leaf, Noun } from '../../command/command.ts'
import { change, printInner, printList } from '../../command/context.ts'
import { columnKit, wide } from '../../output/columns.ts'
import { isDocumentFormat } from '../../output/render.ts'
import { CliError } from '../../terminal/cli-error.ts'

const MODELS_PAGE = 1_000

const list: Leaf = {
  name: 'list',
  summary: 'list the models that you can use',
  kind: 'read',
  examples: ['models list', 'models list -o id'],
  run: async (context) => {
    const document = await (await context.client()).get('/v1/models', { limit: MODELS_PAGE })
    const kit = columnKit(context.output)
    await printInner(context, {
      document,
      rows: document.data,
      columns: [kit.text('id'), kit.text('name', 'display_name'), wide(kit.time('created', 'created_at'))],
      empty: 'There are no models for you. "causeway models resolve <id>" says why one is missing.',
    })
  },
}

const resolve: Leaf = {
  name: 'resolve',
  summary: 'explain step by step what a model id means here',
  kind: 'read',
  routes: ['POST /admin/models/resolve'],
  args: [{ name: '<model>', text: 'as a client sends it', values: 'models' }],
  options: [{ flags: '--endpoint <endpoint>', text: 'on one endpoint only', values: 'endpoints' }],
  about: 'Ends with code 3 when it is no model here.',
  examples: ['models resolve claude-sonnet-5', 'models resolve "claude-sonnet-5[1m]" --endpoint main'],
  run: async (context, [model], { endpoint }) => {
    const client = await context.client()
    const endpointId = endpoint === undefined ? {} : { endpoint_id: await findId(client, kinds.endpoint, endpoint) }
    const found = await client.send('POST', '/admin/models/resolve', { model, ...endpointId })
    const kit = columnKit(context.output)
    await printInner(context, {
      document: found,
      rows: found.steps,
      columns: [kit.text('step'), kit.flag('matched', 'matched'), kit.text('detail')],
      empty: 'No step was needed.',
    })
    if (!isDocumentFormat(context.output.format))
      await printInner(context, {
        document: found,
        rows: found.endpoints,
        columns: [
          kit.text('endpoint', 'name'),
          kit.status('health', 'health_status'),
          kit.text('invokes', 'invoked_id'),
          kit.text('via'),
          kit.text('detail'),
        ],
        empty: 'No endpoint has it.',
      })
    if (found.resolved !== true)
      throw new CliError(`"${model}" is no model here`, { exit: 'notFound', next: 'causeway models list' })
  },
}

const mappings: Leaf = {
  name: 'mappings',
  summary: 'list which requested id means which hosted model',
  kind: 'list',
  routes: ['GET /admin/model-mappings'],
  examples: ['models mappings --all'],
  run: async (context) => {
    const kit = columnKit(context.output)
    await printList(context, {
      path: '/admin/model-mappings',
      columns: [
        kit.text('requested', 'vendor_prefix'),
        kit.text('hosted', 'hosted_model_id'),
        kit.text('name', 'display_name'),
        kit.text('source'),
        wide(kit.number('context', 'context_window')),
        wide(kit.number('output', 'max_output_tokens')),
      ],
      empty: 'There are no mappings.',
    })
  },
}

const map: Leaf = {
  name: 'map',
  summary: 'let a requested id mean a hosted model',
  kind: 'write',
  routes: ['PUT /admin/model-mappings/{vendor_prefix}'],
  args: [
    { name: '<model>', text: 'the whole id that clients send' },
    { name: '<hosted-model>', text: 'such as anthropic.claude-sonnet-5' },
  ],
  options: [{ flags: '--name <name>', text: 'shown in model pickers' }],
  examples: ['models map company-default anthropic.claude-sonnet-5 --name "Company default"'],
  run: async (context, [model, hosted], { name }) => {
    await change(context, {
      method: 'PUT',
      path: `/admin/model-mappings/${encodeURIComponent(model)}`,
      body: defined({ hosted_model_id: hosted, display_name: name }),
      done: (record) => `${record.vendor_prefix} means ${record.hosted_model_id}.`,
    })
  },
}

const unmap: Leaf = {
  name: 'unmap',
  summary: 'remove a mapping',
  kind: 'destroy',
  routes: ['DELETE /admin/model-mappings/{vendor_prefix}'],
  args: [{ name: '<model>', text: 'the requested id' }],
  examples: ['models unmap company-default --yes'],
  run: async (context, [model]) => {
    await change(context, {
      method: 'DELETE',
      path: `/admin/model-mappings/${encodeURIComponent(model)}`,
      confirm: `Remove the mapping of ${model}? The id is looked up anew with its next call.`,
      done: () => `Removed the mapping of ${model}.`,
    })
  },
}

export const models: Noun = {
  name: 'models',
  summary: 'models and what their ids mean',
  leaves: [list, resolve, mappings, map, unmap],
}

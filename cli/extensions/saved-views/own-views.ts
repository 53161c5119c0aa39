/** `causeway me views`: views of the portal under names of one's own. */
import type { Arg, Leaf, Noun } from '../../command/command.ts'
import { change, printInner } from '../../command/context.ts'
import { columnKit } from '../../output/columns.ts'

const VIEWS = '/me/views'
const nameArg: Arg = { name: '<name>', text: 'the name of the view' }
const buildPath = (name: string): string => `${VIEWS}/${encodeURIComponent(name)}`

const list: Leaf = {
  name: 'list',
  summary: 'list your saved views',
  kind: 'read',
  routes: ['GET /me/views'],
  examples: ['me views list'],
  run: async (context) => {
    const kit = columnKit(context.output)
    const document = await (await context.client()).get(VIEWS)
    await printInner(context, {
      document,
      rows: document.data,
      columns: [kit.text('name'), kit.text('path'), kit.time('saved', 'updated_at')],
      empty: 'You have saved no views.',
    })
  },
}

const save: Leaf = {
  name: 'save',
  summary: 'save a view, or replace the one with this name',
  kind: 'write',
  routes: ['PUT /me/views/{name}'],
  args: [nameArg, { name: '<path>', text: 'the address in the portal from # on' }],
  examples: ["me views save 'Failed today' '#/requests?status=error&range=today'"],
  run: async (context, [name = '', path = '']) => {
    await change(context, {
      method: 'PUT',
      path: buildPath(name),
      body: { path },
      done: (view) => `Saved ${view.name}.`,
    })
  },
}

const remove: Leaf = {
  name: 'delete',
  summary: 'delete one of your views',
  kind: 'destroy',
  routes: ['DELETE /me/views/{name}'],
  args: [nameArg],
  examples: ["me views delete 'Failed today' --yes"],
  run: async (context, [name = '']) => {
    await change(context, {
      method: 'DELETE',
      path: buildPath(name),
      confirm: `Delete the view ${name}?`,
      done: () => 'Deleted the view.',
    })
  },
}

export const views: Noun = {
  name: 'views',
  summary: 'views of the portal under names of your own',
  leaves: [list, save, remove],
}

/** `causeway requests`: single calls, what became of them and why. */
import type { Leaf, Noun } from '../../command/command.ts'
import { printList } from '../../command/context.ts'
import { explainRequest, requestArg } from './explain-request.ts'
import { requestColumns, requestFilters, requestQuery } from './request-fields.ts'
import { tail } from './tail-requests.ts'

const list: Leaf = {
  name: 'list',
  summary: 'list calls, newest first',
  kind: 'list',
  routes: ['GET /admin/requests'],
  options: requestFilters,
  examples: ['requests list --errors --since 1h', 'requests list --user ada@example.com --limit 20'],
  run: (context, _args, values) =>
    printList(context, {
      path: '/admin/requests',
      query: requestQuery(values),
      columns: requestColumns(context),
      empty: 'There were no such calls.',
    }),
}

const show: Leaf = {
  name: 'show',
  summary: 'explain one call: routing, attempts, tokens and price line by line',
  kind: 'read',
  routes: ['GET /admin/requests/{request_id}'],
  args: [requestArg],
  examples: ['requests show req_01J…'],
  run: (context, [id]) => explainRequest(context, '/admin/requests', id),
}

export const requests: Noun = {
  name: 'requests',
  summary: 'single calls and what became of them',
  leaves: [list, show, tail],
}

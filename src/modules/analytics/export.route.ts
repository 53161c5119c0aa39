/** The served calls behind the charts, one line each, as a file that spreadsheets open. */
import { Readable } from 'node:stream'
import { z } from 'zod'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { type Answer, apiRoute, type Route } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { exportSpend } from '../spend/spend-export.store.ts'
import { buildQuestion, type Question } from './analytics-route.service.ts'
import { analyticsQuery } from './usage-query.ts'

export function exportRoute(ports: RoutePorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/analytics/org/export',
    access: 'admin',
    grants: ['billing:read'],
    tag: 'Analytics',
    summary: 'The filtered spend as CSV',
    description:
      'One line for every call that the hosted service served, oldest first (RFC 4180, UTF-8, a header line, times in UTC). A cell that a spreadsheet would take for a formula begins with an apostrophe. The file is made while it is read; one that breaks off was not finished.',
    query: analyticsQuery,
    answers: { 200: { text: 'The file', schema: z.string(), type: 'text/csv' }, ...badInput, ...forAdmins },
    handle: async ({ query }) => buildFile(await buildQuestion(ports, query)),
    handleForLead: async ({ query }, teamId) => buildFile(await buildQuestion(ports, query, teamId)),
  })
}

async function buildFile({ database, range, filter }: Question): Promise<Answer> {
  const pieces = exportSpend(database.kysely, range, filter)
  const header = await pieces.next()
  // Before the answer begins: a database that is away must be a 503 and no broken file.
  const first = await pieces.next()
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="causeway-spend-${range.from}-to-${range.to}.csv"`,
    },
    // As text: buffers of a large file would pile up outside of the heap until the collector looks for them.
    body: Readable.from(joined([header, first], pieces), { highWaterMark: 1 }),
  }
}

async function* joined(read: readonly IteratorResult<string>[], rest: AsyncGenerator<string>): AsyncGenerator<string> {
  for (const piece of read) if (piece.done !== true) yield piece.value
  yield* rest
}

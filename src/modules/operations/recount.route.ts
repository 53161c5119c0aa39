/** Counts again what the sums of charts refused, once an administrator has mended the cause. */
import { z } from 'zod'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { nothing } from '../../foundation/http/fields.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import { type RoutePorts, write } from '../../foundation/http/write-change.ts'
import { catchUpUsage, closeUsageBlocks, countSetAside, takeBackSetAside } from '../spend/usage/usage-rollup.store.ts'

const count = z.int().min(0)

export function recountRoute(ports: Pick<RoutePorts, 'database' | 'changed' | 'clock'>): Route {
  return apiRoute({
    method: 'POST',
    path: '/admin/usage/recount',
    access: 'admin',
    tag: 'Status',
    summary: 'Count again what charts left out',
    description:
      'Records that the database refused in the sums of charts, and days that it refused to put together, are tried again. What is still refused is set aside again. Each record is in the sums once, however often this is called.',
    body: nothing,
    answers: {
      200: {
        text: 'What was tried, and what is still left out',
        schema: z.object({ tried_records: count, uncounted_records: count, unclosed_periods: count }),
      },
      ...badInput,
      ...forAdmins,
    },
    handle: async (call) => {
      const tried = await write(ports, call, [], async ({ tx, audit }) => {
        const before = await countSetAside(tx)
        const records = await takeBackSetAside(tx)
        audit({ action: 'usage.recount', target: 'usage', before, after: { tried_records: records } })
        return records
      })
      const { kysely } = ports.database()
      await catchUpUsage(kysely)
      // Not left to the loop: the answer says what is still refused.
      await closeUsageBlocks(kysely, ports.clock.nowMs())
      const { records, periods } = await countSetAside(kysely)
      return ok({ tried_records: tried, uncounted_records: records, unclosed_periods: periods })
    },
  })
}

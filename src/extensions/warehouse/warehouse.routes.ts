/** How far the warehouse is, for those who rely on it, and a run that does not wait for the next hour. */
import { z } from 'zod'
import { usdFromNano } from '../../foundation/domain/money.ts'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { isoTime, nothing } from '../../foundation/http/fields.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import { type RoutePorts, write } from '../../foundation/http/write-change.ts'
import { createWarehouseState, type LastFile } from './warehouse-state.store.ts'

export interface WarehousePorts extends RoutePorts {
  /** `WAREHOUSE_URL`; null or absent while the warehouse is off. */
  readonly warehouseUrl?: string | null
}

const tag = 'Warehouse'
const count = z.int().min(0)
const time = z.iso.datetime().nullable()

const statusSchema = z.object({
  is_on: z.boolean(),
  url: z.string().nullable(),
  is_running: z.boolean(),
  caught_up_at: time.meta({ description: 'When nothing was left to write the last time.' }),
  next_run_at: time.meta({ description: 'Not before this time; null while the warehouse is off.' }),
  unfinished_files: count,
  late_records: count.meta({ description: 'Wait for a later file of their day.' }),
  files: count,
  records: count,
  bytes: count,
  last_file: z
    .object({
      day: z.string(),
      part: z.int().min(1),
      name: z.string(),
      records: count,
      bytes: count,
      cost_usd: z.number(),
      written_at: z.iso.datetime(),
    })
    .nullable(),
  failures: count.meta({ description: 'In a row; 0 after a run that succeeded.' }),
  last_failure: z.object({ at: z.iso.datetime(), reason: z.string() }).nullable(),
})

function toLastFile({ day, part, name, records, bytes, costNanoUsd, writtenAt }: LastFile) {
  const cost = usdFromNano(costNanoUsd)
  return { day, part, name, records, bytes, cost_usd: cost, written_at: isoTime(writtenAt.getTime()) }
}

export function warehouseRoutes(ports: WarehousePorts): Route[] {
  const url = ports.warehouseUrl ?? null
  return [
    apiRoute({
      method: 'GET',
      path: '/admin/warehouse',
      access: 'admin',
      grants: ['billing:read', 'ops:operate'],
      tag,
      summary: 'Show the state of the warehouse',
      description:
        'What of the spend log is in Parquet files, of all instances together. `url` is where this instance writes. The last failure stays after a success.',
      answers: { 200: { text: 'The state', schema: statusSchema }, ...forAdmins },
      handle: async () => {
        const store = createWarehouseState(ports.database().kysely)
        const [state, last] = [await store.read(), await store.findLastFile()]
        return ok({
          is_on: url !== null,
          url,
          is_running: state.isRunning,
          caught_up_at: isoTime(state.caughtUpAt?.getTime() ?? null),
          next_run_at: url === null ? null : isoTime(state.nextRunAt.getTime()),
          unfinished_files: state.unfinishedFiles,
          late_records: state.lateRecords,
          files: state.files,
          records: state.records,
          bytes: state.bytes,
          last_file: last === undefined ? null : toLastFile(last),
          failures: state.failures,
          last_failure:
            state.failedAt === null || state.failure === null
              ? null
              : { at: isoTime(state.failedAt.getTime()), reason: state.failure },
        })
      },
    }),
    apiRoute({
      method: 'POST',
      path: '/admin/warehouse/export',
      access: 'admin',
      tag,
      summary: 'Write to the warehouse now',
      description:
        'Late records and complete days are written within about two minutes and not at the next full hour. It also ends the wait after a failure. Nothing is written twice. The current day is never written.',
      body: nothing,
      answers: {
        200: { text: 'An instance will begin', schema: z.object({ is_on: z.boolean() }) },
        ...badInput,
        ...forAdmins,
      },
      handle: async (call) => {
        await write(ports, call, [], async ({ tx, audit }) => {
          await createWarehouseState(tx).askForRun()
          audit({ action: 'warehouse.export', target: 'warehouse', before: null, after: null })
        })
        return ok({ is_on: url !== null })
      },
    }),
  ]
}

/** `causeway warehouse`: how far the Parquet files of the spend log are. */
import type { Leaf, Noun } from '../../command/command.ts'
import { change, printRecord } from '../../command/context.ts'
import { columnKit } from '../../output/columns.ts'

const status: Leaf = {
  name: 'status',
  summary: 'show what of the spend log is in files, and the last failure',
  kind: 'read',
  routes: ['GET /admin/warehouse'],
  examples: ['warehouse status', 'warehouse status -o json'],
  run: async (context) => {
    const kit = columnKit(context.output)
    const state = await (await context.client()).get('/admin/warehouse')
    await printRecord(context, state, [
      kit.flag('on', 'is_on'),
      kit.text('url'),
      kit.flag('running', 'is_running'),
      kit.time('caught up', 'caught_up_at'),
      kit.time('next run', 'next_run_at'),
      kit.number('files', 'files'),
      kit.number('records', 'records'),
      kit.number('unfinished files', 'unfinished_files'),
      kit.number('late records', 'late_records'),
      kit.text('last file', 'last_file.name'),
      kit.number('failures', 'failures'),
      kit.time('last failure', 'last_failure.at'),
      kit.text('reason', 'last_failure.reason'),
    ])
  },
}

const exportNow: Leaf = {
  name: 'export',
  summary: 'write late records and complete days now',
  kind: 'write',
  routes: ['POST /admin/warehouse/export'],
  about:
    'An instance begins within about two minutes. Nothing is written twice. The current day is never written. "warehouse status" shows the result.',
  examples: ['warehouse export'],
  run: async (context) => {
    await change(context, {
      method: 'POST',
      path: '/admin/warehouse/export',
      body: {},
      done: ({ is_on }) =>
        is_on
          ? 'An instance will begin within two minutes.'
          : 'The warehouse is off. Set WAREHOUSE_URL to switch it on.',
    })
  },
}

export const warehouse: Noun = {
  name: 'warehouse',
  summary: 'the spend log as Parquet files',
  leaves: [status, exportNow],
}

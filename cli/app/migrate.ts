/** `causeway migrate`: the database schema, ahead of the first start of a new release. */
import type { Leaf } from '../command/command.ts'
import { printRecord } from '../command/context.ts'
import { CliError, usageError } from '../terminal/cli-error.ts'
import type { Io } from '../terminal/io.ts'

export const migrate: Leaf = {
  name: 'migrate',
  summary: 'bring the database schema up to date',
  kind: 'read',
  options: [{ flags: '--plan', text: 'only list what would be run' }],
  about: 'A gateway does this by itself when it starts. The database is the one of DATABASE_URL or DATABASE_HOST.',
  examples: ['migrate --plan', 'migrate'],
  run: async (context, _args, { plan }) => {
    const config = await requireConfig(context.io)
    const { migrateFromConfig } = await import('../../src/app/migrate-command.ts')
    const report = await migrateFromConfig(config, plan === true).catch((error: unknown) => {
      throw new CliError(
        `the schema could not be ${plan === true ? 'read' : 'changed'}: ${error instanceof Error ? error.message : String(error)}`,
        { exit: 'failed', next: 'nothing was changed; "causeway doctor" looks at the database', cause: error },
      )
    })
    if (report === undefined) throw usageError('no database is configured', 'set DATABASE_URL or DATABASE_HOST')
    const document = {
      server_version: report.serverVersion,
      planned: plan === true,
      migrations: report.migrations,
      compatible: report.migrations.every((name) => name.endsWith('+compatible')),
    }
    await printRecord(context, document, [
      { name: 'server', value: (row) => `Postgres ${row.server_version}` },
      {
        name: plan === true ? 'would run' : 'ran',
        value: (row) => row.migrations.join(', '),
        shown: (row) => row.migrations.join(', ') || 'nothing: it is up to date',
      },
      {
        name: 'meanwhile',
        value: (row) => String(row.compatible),
        shown: (row) =>
          row.compatible
            ? 'instances of the release before may go on running'
            : 'stop instances of the release before first; going back needs a backup',
      },
    ])
  },
}

/** The configuration that a gateway would start with here. */
export async function requireConfig(io: Io) {
  const { readConfig } = await import('../../src/app/config/config.ts')
  const result = readConfig(io.environment)
  if (result.kind === 'invalid')
    throw usageError(
      `the configuration is not valid: ${result.mistakes.join('; ')}`,
      'docs/configuration.md describes every variable',
    )
  return result.config
}

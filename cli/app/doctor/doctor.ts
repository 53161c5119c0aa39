/** `causeway doctor`: what is wrong, and how to mend it. */
import { createClient } from '../../client/http-client.ts'
import type { Leaf } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { isDocumentFormat, printDocument } from '../../output/render.ts'
import { harmless, tabLine } from '../../output/table.ts'
import type { Connection } from '../../profile/connection.ts'
import { CliError, usageError } from '../../terminal/cli-error.ts'
import type { Finding } from './finding.ts'

export const doctor: Leaf = {
  name: 'doctor',
  summary: 'find out what is wrong and how to mend it',
  kind: 'read',
  options: [
    { flags: '--local', text: 'look at this machine as a place to run the gateway, by its environment' },
    { flags: '--remote', text: 'look at a running gateway only' },
  ],
  about:
    'Asks the gateway that is named by --url, CAUSEWAY_URL or the profile; without one it looks at this machine. Checking an\nendpoint sends two calls of one token through it. Ends with code 8 when a check fails.',
  examples: ['doctor', 'doctor --url https://gateway.example.com', 'doctor --local --json'],
  run: async (context, _args, values) => {
    if (values['local'] === true && values['remote'] === true) throw usageError('either --local or --remote')
    const connection = values['local'] === true ? undefined : await namedGateway(context)
    if (values['remote'] === true && connection === undefined)
      throw usageError('no gateway is named', 'causeway doctor --remote --url https://gateway.example.com')
    const findings: Finding[] = []
    for await (const finding of allChecks(context, connection)) {
      findings.push(finding)
      if (!isDocumentFormat(context.output.format)) print(context, finding)
    }
    const failed = findings.filter(({ status }) => status === 'fail').length
    const warned = findings.filter(({ status }) => status === 'warn').length
    if (isDocumentFormat(context.output.format))
      await printDocument(context.output, { ok: failed === 0, failed, warned, findings }, [])
    if (failed > 0) throw new CliError(`${failed} of ${findings.length} checks failed`, { exit: 'checkFailed' })
    context.io.err(`${findings.length} checks, none failed${warned === 0 ? '' : `, ${warned} to look at`}.\n`)
  },
}

/** Undefined when nothing names one. */
async function namedGateway(context: Context): Promise<Connection | undefined> {
  const { io, values } = context
  const { readConfigFile } = await import('../../profile/config-file.ts')
  const { profileName } = await import('../../profile/connection.ts')
  const file = await readConfigFile(io)
  const isNamed =
    values['url'] !== undefined ||
    (io.environment['CAUSEWAY_URL'] ?? '') !== '' ||
    file.profiles[profileName(values, io.environment, file)] !== undefined
  return isNamed ? context.connection() : undefined
}

async function* allChecks(context: Context, connection: Connection | undefined): AsyncGenerator<Finding> {
  const { io, version } = context
  if (connection === undefined) {
    const { localChecks } = await import('./local-checks.ts')
    yield* localChecks(io)
  } else {
    const { remoteChecks } = await import('./remote-checks.ts')
    const client = createClient({
      base: connection.url,
      token: connection.token,
      signal: io.signal,
      userAgent: `causeway/${version} (doctor)`,
    })
    yield* remoteChecks({
      client,
      url: connection.url,
      version,
      isSignedIn: connection.token !== undefined,
      signal: io.signal,
    })
  }
  const { clientChecks } = await import('./client-checks.ts')
  yield* clientChecks(io, connection?.url)
}

const marks = { pass: '✔', warn: '!', fail: '✘', skip: '-' } as const

function print({ io, paint }: Context, finding: Finding): void {
  if (!io.isTerminal) {
    const columns = (['status', 'id', 'detail', 'fix'] as const).map((name) => ({
      name,
      value: (row: Finding) => row[name],
    }))
    io.out(`${tabLine(finding, columns)}\n`)
    return
  }
  const color = { pass: paint.green, warn: paint.yellow, fail: paint.red, skip: paint.dim }[finding.status]
  const detail = harmless(finding.detail)
  io.out(`${color(marks[finding.status])} ${finding.status === 'skip' ? paint.dim(detail) : detail}\n`)
  if (finding.fix !== undefined) io.out(`  ${paint.dim('→')} ${finding.fix}\n`)
}

/** Checks the compose file: it parses, every reference leads somewhere, and no default password is in force. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { variables } from '../../src/app/config/variables.ts'
import type { Finding } from './finding.ts'

interface Service {
  readonly image?: string
  readonly depends_on?: Readonly<Record<string, unknown>> | readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly read_only?: boolean
  readonly stop_grace_period?: string
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

/** What the file and its image decide: where the gateway listens, writes and finds its own Postgres, and how it stops. */
const decidedHere =
  /^(PROXY_|TLS_|DATABASE_|DATA_DIR$|SPEND_JOURNAL_DIR$|RDS_IAM_AUTH$|DRAIN_TIMEOUT_SECONDS$|AWS_DEFAULT_REGION$)/

export function checkCompose(file: string): Finding {
  const { services, volumes } = parse(readFileSync(file, 'utf8'), { merge: true }) as ComposeFile
  const lines: string[] = []
  const must = (isSo: boolean, mistake: string): void => {
    if (!isSo) lines.push(mistake)
  }
  for (const [name, service] of Object.entries(services)) {
    must(/:\S+$/.test(service.image ?? ''), `${name}: its image has no version`)
    const needed = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on ?? {})
    for (const other of needed) must(other in services, `${name} depends on ${other}, which is not there`)
    for (const mount of service.volumes ?? []) {
      const source = mount.split(':')[0] ?? ''
      if (!source.startsWith('.')) must(source in volumes, `${name} mounts ${source}, which is no volume`)
      // The folder of dashboards and rules is another part of deploy/.
      else must(existsSync(path.join(path.dirname(file), source)), `${name} mounts ${source}, which is not there`)
    }
  }
  const gateway = services['gateway'] ?? {}
  const names = new Set(Object.values(variables).flatMap(({ name }) => [name, `${name}_FILE`]))
  for (const name of Object.keys(gateway.environment ?? {}))
    must(
      names.has(name) || /^AWS_(ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)$/.test(name),
      `gateway: ${name} is no variable`,
    )
  const given = new Set(Object.keys(gateway.environment ?? {}).map((name) => name.replace(/_FILE$/, '')))
  for (const { name } of Object.values(variables))
    must(given.has(name) || decidedHere.test(name), `gateway: ${name} cannot be set without editing the file`)
  must('ADMIN_PASSWORD_FILE' in (gateway.environment ?? {}), 'gateway: the default password would be in force')
  must(gateway.read_only === true, 'gateway: its root file system can be written')
  must(Number.parseInt(gateway.stop_grace_period ?? '0', 10) > 110, 'gateway: streams are cut off when it stops')
  return { kind: 'mistakes', lines }
}

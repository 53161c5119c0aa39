/** A real Postgres that stays in recovery, as the copy of a primary server does, until it is promoted. */
import { chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedServer, startEmbeddedPostgres } from '../../src/foundation/database/embedded/embedded-postgres.ts'

export interface Standby {
  readonly url: string
  readonly promote: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Without hot standby it refuses every connection until then, as a server that starts up. */
export async function startStandby(settings: { readonly hot_standby: 'on' | 'off' }): Promise<Standby> {
  const directory = await mkdtemp(join(tmpdir(), 'causeway-standby-'))
  const cluster = join(directory, 'cluster')
  const first = await startEmbeddedPostgres({ directory, settings: { fsync: 'off' } })
  await first.stop()
  await signalFile(cluster, 'standby.signal')

  const { promise: port, resolve: foundPort } = Promise.withResolvers<string>()
  const { promise: inRecovery, resolve: foundRecovery } = Promise.withResolvers<void>()
  const starting: Promise<EmbeddedServer> = startEmbeddedPostgres({
    directory,
    settings: { fsync: 'off', ...settings },
    onLog: (line) => {
      const listening = /listening on IPv4 address .* port (\d+)/.exec(line)?.[1]
      if (listening !== undefined) foundPort(listening)
      if (line.includes('consistent recovery state reached')) foundRecovery()
    },
  })
  const url = new URL(first.url)
  url.port = await port
  await inRecovery
  return {
    url: url.href,
    promote: async () => {
      await signalFile(cluster, 'promote')
      process.kill(Number.parseInt(await readFile(join(cluster, 'postmaster.pid'), 'utf8'), 10), 'SIGUSR1')
      await starting
    },
    stop: async () => {
      await (await starting).stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function signalFile(cluster: string, name: string): Promise<void> {
  const { uid, gid } = await stat(cluster)
  const path = join(cluster, name)
  await writeFile(path, '')
  await chown(path, uid, gid)
}

/** Installs the login helper that the client runs, and hands it the token of this sign-in so that nobody signs in twice. */
import { chmod, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Client } from '../../client/http-client.ts'
import { shellWord } from '../../output/shell-word.ts'
import { cacheFolder, writePrivateFile } from '../../profile/config-file.ts'
import type { Io } from '../../terminal/io.ts'
import { makeOwnFolder } from './settings-folder.ts'

export interface Helper {
  readonly text: string
  /** The address that the gateway calls itself by; the client uses the same. */
  readonly gateway: string
}

export async function fetchHelper(client: Client, platform: string): Promise<Helper> {
  const response = await client.open('/auth/setup/token-script', {
    platform: platform === 'win32' ? 'windows' : undefined,
  })
  const text = await response.text()
  const gateway = /^\$?GATEWAY ?= ?'([^']+)'/im.exec(text)?.[1] ?? client.base
  return { text, gateway }
}

export async function installHelper(path: string, { text }: Helper): Promise<void> {
  await makeOwnFolder(dirname(path))
  await writeFile(`${path}.new`, text, { mode: 0o700 })
  await chmod(`${path}.new`, 0o700)
  await rename(`${path}.new`, path)
}

export function helperCommand(path: string, platform: string): string {
  if (platform === 'win32') return `powershell -NoProfile -ExecutionPolicy Bypass -File "${path}"`
  return shellWord(path)
}

function keptToken(io: Io, gateway: string): string {
  const folder = io.environment['CAUSEWAY_CACHE_DIR'] || cacheFolder(io)
  return join(folder, `${gateway.replace(/[^A-Za-z0-9.-]/g, '_')}.token`)
}

/** Two lines, as the helper writes them: until when, and the token. */
export async function handOver(io: Io, gateway: string, token: string, expiresAt: string | undefined): Promise<void> {
  if (expiresAt === undefined || io.platform === 'win32') return
  await writePrivateFile(keptToken(io, gateway), `${Math.floor(Date.parse(expiresAt) / 1_000)}\n${token}\n`)
}

export async function forgetToken(io: Io, gateway: string): Promise<void> {
  const kept = keptToken(io, gateway)
  await Promise.all([rm(kept, { force: true }), rm(kept.replace(/token$/, 'asked'), { force: true })])
}

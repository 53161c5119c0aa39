/** The file that remembers gateways and sign-ins: one JSON document that only its owner may read. */
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CliError } from '../terminal/cli-error.ts'
import type { Io } from '../terminal/io.ts'

export interface Profile {
  readonly url: string
  readonly token?: string
  readonly expires_at?: string
  readonly user?: string
}

export interface ConfigFile {
  readonly current: string
  readonly profiles: Readonly<Record<string, Profile>>
}

export const DEFAULT_PROFILE = 'default'

export function configPath({ environment, home }: Pick<Io, 'environment' | 'home'>): string {
  return join(environment['XDG_CONFIG_HOME'] || join(home, '.config'), 'causeway', 'config.json')
}

export function cacheFolder({ environment, home }: Pick<Io, 'environment' | 'home'>): string {
  return join(environment['XDG_CACHE_HOME'] || join(home, '.cache'), 'causeway')
}

export function dataFolder({ environment, home }: Pick<Io, 'environment' | 'home'>): string {
  return join(environment['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'causeway')
}

export async function readConfigFile(io: Pick<Io, 'environment' | 'home'>): Promise<ConfigFile> {
  const path = configPath(io)
  try {
    const found = JSON.parse(await readFile(path, 'utf8')) as Partial<ConfigFile> | null
    return { current: found?.current ?? DEFAULT_PROFILE, profiles: found?.profiles ?? {} }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return { current: DEFAULT_PROFILE, profiles: {} }
    throw new CliError(`${path} cannot be read: ${(error as Error).message}`, {
      exit: 'failed',
      next: 'repair or delete it, then sign in again with "causeway login"',
      cause: error,
    })
  }
}

export async function writeConfigFile(io: Pick<Io, 'environment' | 'home'>, config: ConfigFile): Promise<void> {
  await writePrivateFile(configPath(io), `${JSON.stringify(config, null, 2)}\n`)
}

/** Replaced whole and never readable by others, not even for a moment. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const fresh = `${path}.${process.pid}.new`
  try {
    await writeFile(fresh, text, { mode: 0o600, flag: 'wx' })
    await chmod(fresh, 0o600)
    await rename(fresh, path)
  } catch (error) {
    await rm(fresh, { force: true })
    throw new CliError(`${path} cannot be written: ${(error as Error).message}`, { exit: 'failed', cause: error })
  }
}

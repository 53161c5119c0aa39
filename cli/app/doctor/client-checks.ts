/** Looks at the coding client on this machine: its settings, what outranks them, and its version. */
import { execFile } from 'node:child_process'
import { access, constants, readFile } from 'node:fs/promises'
import { rawAt, requireObject } from '../../modules/coding-client/edit-json.ts'
import { findRivals, rivals } from '../../modules/coding-client/merge.ts'
import { settingsFolder } from '../../modules/coding-client/settings-folder.ts'
import { withoutMark } from '../../terminal/byte-order-mark.ts'
import type { Io } from '../../terminal/io.ts'
import { type Finding, fail, pass, skip, warn } from './finding.ts'

/** The oldest release that this gateway was tried with. */
const OLDEST_CLIENT: readonly [number, number, number] = [2, 1, 197]
const VERSION_TIMEOUT_MS = 5_000

export async function* clientChecks(io: Io, gateway: string | undefined): AsyncGenerator<Finding> {
  const folder = settingsFolder(io, false)
  const text = await readFile(folder.settings, 'utf8').catch(() => undefined)
  if (text === undefined)
    yield skip('client.settings', `${folder.settings} does not exist: the client is not set up; causeway connect`)
  else yield* settingsFindings(text, folder.settings, gateway)
  for (const name of rivals.filter((variable) => (io.environment[variable] ?? '') !== ''))
    yield warn(
      'client.environment',
      `${name} is set in this terminal and outranks the settings`,
      `unset ${name}, also in the files of your shell`,
    )
  yield await versionFinding(io)
}

async function* settingsFindings(text: string, file: string, gateway: string | undefined): AsyncGenerator<Finding> {
  let bytes: Buffer
  try {
    bytes = requireObject(withoutMark(text), file)
  } catch (error) {
    yield fail('client.settings', (error as Error).message, 'repair the file; the client ignores it as it is')
    return
  }
  const textAt = (...path: Parameters<typeof rawAt>[1]): string | undefined => {
    const raw = rawAt(bytes, path)
    return raw === undefined ? undefined : String(JSON.parse(raw))
  }
  const address = textAt('env', 'ANTHROPIC_BASE_URL')
  if (address === undefined) yield warn('client.settings', `${file} names no gateway`, 'causeway connect')
  else if (gateway !== undefined && new URL(address).origin !== new URL(gateway).origin)
    yield warn('client.settings', `the client uses ${address}, not ${gateway}`, 'causeway connect')
  else yield pass('client.settings', `the client uses ${address}`)
  const helper = textAt('apiKeyHelper')
  const foes = findRivals(bytes, helper === undefined ? 'key' : 'helper')
  if (foes.length > 0)
    yield warn('client.rivals', `${foes.join(', ')} in ${file} outrank the gateway`, 'causeway connect takes them out')
  const path = /^'(.+)'$/.exec(helper ?? '')?.[1]
  if (path !== undefined && !(await isExecutable(path)))
    yield fail(
      'client.helper',
      `the login helper ${path} is missing or cannot be run`,
      'causeway connect installs it again',
    )
  if (address !== undefined && textAt('env', 'CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY') !== '1')
    yield warn('client.discovery', 'the model picker does not ask the gateway', 'causeway connect')
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function versionFinding(io: Io): Promise<Finding> {
  const output = await new Promise<string | undefined>((resolve) => {
    const env = Object.fromEntries(
      Object.entries(io.environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
    )
    execFile('claude', ['--version'], { timeout: VERSION_TIMEOUT_MS, env }, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    )
  })
  if (output === undefined) return skip('client.version', 'the client is not installed here')
  const version = /(\d+)\.(\d+)\.(\d+)/.exec(output)
  if (version === null) return skip('client.version', `the client says ${JSON.stringify(output.trim())}`)
  const isOld = compare(version.slice(1, 4).map(Number), OLDEST_CLIENT) < 0
  return isOld
    ? warn(
        'client.version',
        `the client is ${version[0]}`,
        `update it: the gateway was tried with ${OLDEST_CLIENT.join('.')} and later`,
      )
    : pass('client.version', `the client is ${version[0]}`)
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((part, at) => part !== b[at])
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0)
}

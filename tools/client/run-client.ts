/** Runs the client without a person: one process for each prompt, in a home and a folder of its own. */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from './install-client.ts'

export interface ClientResult {
  readonly is_error: boolean
  readonly result: string
}

const LONGEST_MS = 120_000

/** Only what a program needs to run: a token or a proxy of whoever runs this must not reach the client. */
const kept = ['PATH', 'LANG', 'TMPDIR', 'SystemRoot']

export async function runClient(
  { program }: Client,
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ClientResult> {
  const cwd = join(folder, 'project')
  mkdirSync(cwd, { recursive: true })
  const own = Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
  const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', HOME: folder, USERPROFILE: folder }
  const child = spawn(program, [...args, '--output-format', 'json'], {
    cwd,
    env: { ...own, ...quiet, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
  })
  let [printed, complaints] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk))
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk))
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject))
  // Notes may stand before it.
  const line = printed.split('\n').findLast((text) => text.startsWith('{'))
  if (line === undefined) throw new Error(`the client gave no result: ${(printed + complaints).slice(-400)}`)
  return JSON.parse(line) as ClientResult
}

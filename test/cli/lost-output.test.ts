/** What a command does when its output goes nowhere. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'

const home = mkdtempSync(join(tmpdir(), 'causeway-output-'))
after(() => rmSync(home, { recursive: true, force: true }))

interface Ended {
  readonly code: number | null
  readonly err: string
}

async function run(command: string, file: string, args: readonly string[]): Promise<Ended> {
  const child = spawn('sh', ['-c', command, process.execPath, 'cli/main.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: home, OUT: file },
  })
  // Nobody reads: a command that writes into this pipe finds it closed.
  child.stdout.destroy()
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { err: await text(child.stderr), code: await ended }
}

test('output that a full disk does not take ends with 1 and a sentence', async () => {
  const full = await run('exec "$0" "$@" > "$OUT"', '/dev/full', ['--help'])
  assert.deepEqual(full, { code: 1, err: 'causeway: the output could not be written: no space left on device\n' })
})

test('output that is cut short ends with 1 and a sentence, although its beginning was written', async () => {
  const short = await run('ulimit -f 1 && exec "$0" "$@" > "$OUT"', join(home, 'short.txt'), ['--help'])
  assert.deepEqual(short, { code: 1, err: 'causeway: the output could not be written: file too large\n' })
})

test('a reader that goes away ends the command without a word', async () => {
  assert.deepEqual(await run('exec "$0" "$@"', '', ['--help']), { code: 0, err: '' })
})

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The program stands in `$0`, and its exit code is said at the end. */
async function inShell(script: string): Promise<string> {
  const program = `"${process.execPath}" test/app/programs/talkative.ts`
  const { stdout } = await run('sh', ['-c', script.replace('PROGRAM', program)], { timeout: 120_000 })
  return stdout.trim()
}

const cases: readonly (readonly [name: string, script: string, said: string])[] = [
  ['a pipe gets every line, the last one too', 'PROGRAM | wc -l', '3001'],
  ['a reader that begins late gets every line', 'PROGRAM | { sleep 0.2; wc -l; }', '3001'],
  ['a reader that has gone', '{ { PROGRAM; echo $? >&3; } | head -n 1 >/dev/null; } 3>&1', '7'],
  ['a disk that is full', 'PROGRAM >/dev/full; echo $?', '7'],
  ['a closed output', 'PROGRAM >&-; echo $?', '7'],
]

for (const [name, script, said] of cases)
  test(`the process ends with its own code: ${name}`, async () => {
    assert.equal(await inShell(script), said)
  })

const talkative = ['test/app/programs/talkative.ts']

test('a socket gets every line, the last one too', async () => {
  const child = spawn(process.execPath, talkative, { stdio: ['ignore', 'pipe', 'inherit'] })
  let lines = 0
  child.stdout.on('data', (bytes: Buffer) => {
    lines += bytes.toString('latin1').split('\n').length - 1
  })
  assert.equal((await once(child, 'close'))[0], 7)
  assert.equal(lines, 3_001)
})

for (const [name, program] of [
  ['', talkative],
  [', which a process that was started later has made wait again', ['test/app/programs/talkative.ts', 'sharing']],
] as const)
  test(`the process ends with its own code: a socket that nobody reads${name}`, async () => {
    const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] })
    const timer = setTimeout(() => child.kill('SIGKILL'), 120_000)
    assert.deepEqual(await once(child, 'exit'), [7, null])
    clearTimeout(timer)
    child.stdout.destroy()
  })

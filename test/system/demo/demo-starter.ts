/** Starts the demo as a person would, in a folder of its own, and waits until it is ready. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../../../tools/demo/program.ts'

export interface Demo {
  readonly pid: number
  readonly text: () => string
  readonly exit: Promise<readonly [code: number | null, signal: string | null]>
}

export interface DemoStarter {
  /** Every start uses the same folder. */
  readonly startDemo: (args: readonly string[]) => Promise<Demo>
  readonly remove: () => Promise<void>
}

const READY = 'stop with Ctrl-C'

export async function makeDemoStarter(): Promise<DemoStarter> {
  const base = await mkdtemp(join(tmpdir(), 'causeway-demo-'))
  // Under root, Postgres runs as another user and must be able to pass.
  await chmod(base, 0o755)
  const running = new Set<ChildProcess>()

  async function startDemo(args: readonly string[]): Promise<Demo> {
    const child = spawn(process.execPath, ['tools/demo.ts', '--data-dir', join(base, 'demo'), ...args], {
      cwd: projectRoot,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Leads its own group, as a command typed into a terminal does.
      detached: true,
    })
    running.add(child)
    const exit = once(child, 'close') as Promise<[number | null, string | null]>
    let text = ''
    const ready = Promise.withResolvers<void>()
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        text += String(chunk)
        if (text.includes(READY)) ready.resolve()
      })
    await Promise.race([ready.promise, exit])
    assert.ok(text.includes(READY), `the demo ended early:\n${text}`)
    return { pid: child.pid ?? 0, text: () => text, exit }
  }

  return {
    startDemo,
    remove: async () => {
      for (const child of running) child.kill('SIGKILL')
      await rm(base, { recursive: true, force: true })
    },
  }
}

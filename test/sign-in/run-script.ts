/** Runs a served script as a person would: in a shell of its own, with a home folder of its own and no terminal. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const shells = ['sh', 'dash', 'bash'] as const

export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunningScript {
  readonly done: Promise<Run>
  /** Resolves with the first match in what was said so far or comes later. */
  readonly said: (pattern: RegExp) => Promise<RegExpExecArray>
  readonly kill: (signal: NodeJS.Signals) => void
}

export function makeHome(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'causeway-home-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** `text` goes in through standard input, as with `curl … | sh`. The path has nothing but the system's own tools. */
export function startScript(
  shell: string,
  text: string,
  home: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): RunningScript {
  // A session of its own: there is no terminal to ask on.
  const child = spawn(shell, ['-s', '--', ...args], {
    detached: true,
    env: { PATH: '/usr/bin:/bin', HOME: home, CAUSEWAY_BROWSER: 'none', ...env },
  })
  let stdout = ''
  let stderr = ''
  const waiting: (() => void)[] = []
  const wake = (): void => {
    for (const look of waiting) look()
  }
  child.stdout.on('data', (piece) => {
    stdout += String(piece)
  })
  child.stderr.on('data', (piece) => {
    stderr += String(piece)
    wake()
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(text)
  const done = new Promise<Run>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
  return {
    done,
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(stderr)
          if (found !== null) resolve(found)
        }
        waiting.push(look)
        look()
        void done.then((run) => reject(new Error(`ended without saying ${pattern}: ${JSON.stringify(run)}`)))
      }),
    kill: (signal) => child.kill(signal),
  }
}

export const runScript = (...args: Parameters<typeof startScript>): Promise<Run> => startScript(...args).done

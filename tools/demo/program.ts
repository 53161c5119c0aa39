/** Starts one of our own programs as a child, keeps its newest log lines, and stops it for sure. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { projectFile, projectProgram } from '../../src/foundation/platform/project-file.ts'
import { DemoError } from './demo-error.ts'

export const projectRoot = resolve(fileURLToPath(projectFile('.')))

export interface ProgramOptions {
  /** For people: "the gateway". */
  readonly name: string
  /** Arguments of Node, the program's file among them. */
  readonly args: readonly string[]
  /** The whole environment of the program: what our terminal has set must not change the demo. */
  readonly env: Readonly<Record<string, string>>
  readonly logFile?: string
  readonly onLine?: (line: string) => void
  /** What it prints as soon as it listens. */
  readonly announces?: string
}

export interface Program {
  readonly name: string
  /** In words: "with code 1", "by SIGKILL". */
  readonly ended: Promise<string>
  readonly hasEnded: () => boolean
  readonly lastLines: () => readonly string[]
  /** Whether it listens itself: what answers on its port may be another program. */
  readonly hasAnnounced: () => boolean
  /** Ended because somebody else listens on a port that it was given. */
  readonly missedPort: () => boolean
  readonly stop: () => Promise<void>
}

const KEPT_LINES = 15
/** The gateway ends open answers first; after this nobody waits for it any longer. */
const STOP_WAIT_MS = 8_000

export function startProgram(options: ProgramOptions): Program {
  const endWithParent = projectProgram('tools/demo/end-with-parent').href
  const child = spawn(process.execPath, ['--import', endWithParent, ...options.args], {
    cwd: projectRoot,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Its own process group: Ctrl-C in a terminal reaches the demo only, which stops its programs in order.
    detached: true,
  })
  const lines: string[] = []
  let hasAnnounced = false
  const file = options.logFile === undefined ? undefined : createWriteStream(options.logFile)
  // A full disk costs the log, not the demo.
  file?.on('error', () => undefined)
  for (const stream of [child.stdout, child.stderr].filter((one) => one !== null)) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      hasAnnounced ||= options.announces !== undefined && line.includes(options.announces)
      if (lines.length > KEPT_LINES) lines.shift()
      file?.write(`${line}\n`)
      options.onLine?.(line)
    })
  }
  let isOver = false
  const ended = once(child, 'close').then(
    ([code, signal]) => (signal === null ? `with code ${code}` : `by ${signal}`),
    (error: Error) => `because it could not be started (${error.message})`,
  )
  const over = ended.then(() => {
    isOver = true
    file?.end()
  })
  return {
    name: options.name,
    ended,
    hasEnded: () => isOver,
    lastLines: () => [...lines],
    hasAnnounced: () => hasAnnounced,
    missedPort: () => isOver && lines.some((line) => line.includes('EADDRINUSE')),
    stop: async () => {
      if (isOver) return
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WAIT_MS)
      await over
      clearTimeout(timer)
    },
  }
}

/** Throws when one of them ends; returns never. */
export async function untilOneEnds(programs: readonly Program[]): Promise<never> {
  return Promise.race(
    programs.map(async (program) => {
      const how = await program.ended
      throw new DemoError(
        `Unexpectedly, ${program.name} ended ${how}.`,
        'Everything else is stopped now. The lines above are the end of its log.',
        program.lastLines(),
      )
    }),
  )
}

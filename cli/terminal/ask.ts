/**
 * Asks one question on the terminal. Answers that are secrets are not echoed.
 * A few lines around Node's `readline`; a dependency would be larger.
 */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CliError } from './cli-error.ts'

export function ask(question: string, hidden: boolean, signal: AbortSignal): Promise<string> {
  // Questions go to standard error: standard output may be piped into another program.
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: hidden ? silent : process.stderr, terminal: true })
  return new Promise((resolve, reject) => {
    const stopped = () => reject(new CliError('stopped', { exit: 'interrupted' }))
    signal.addEventListener('abort', stopped, { once: true })
    lines.on('SIGINT', stopped)
    lines.on('close', stopped)
    lines.question('', (answer) => {
      if (hidden) process.stderr.write('\n')
      resolve(answer.trim())
    })
  }).finally(() => {
    lines.removeAllListeners('close')
    lines.close()
  }) as Promise<string>
}

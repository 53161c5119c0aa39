/** Whole calls in a closed loop: wrk where it is installed, else raw sockets of our own. */
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OTHER_CORE } from '../machine.ts'
import { requestBytes, requestHeads, type Target, type Wire } from '../targets/target.ts'
import { closedLoop } from './stream-client.ts'

export interface PlainLoad {
  readonly wire: Wire
  readonly connections: number
  readonly seconds: number
}

export const wrkHint = 'Debian: apt-get install wrk'

export function hasWrk(): boolean {
  return spawnSync('wrk', ['-v']).error === undefined
}

/** Resolves to the number of calls answered with 200; throws when any was not. */
export type PlainLoader = (target: Target, load: PlainLoad) => Promise<number>

export function createPlainLoader(folder: string, withWrk: boolean): PlainLoader {
  if (withWrk) return (target, load) => runWrk(target, load, folder)
  return async (target, load) => {
    const result = await closedLoop(target.port, requestBytes(target.port, load.wire), load)
    return result.completed
  }
}

/** Large bodies are sent with few keys: wrk keeps a whole request for each. */
const MAX_SCRIPT_BYTES = 8_000_000

async function runWrk(target: Target, { wire, connections, seconds }: PlainLoad, folder: string): Promise<number> {
  const name = join(folder, `wrk-${target.name}-${wire.body.length}`)
  const copies = Math.max(1, Math.min(wire.headers.length, Math.floor(MAX_SCRIPT_BYTES / wire.body.length)))
  writeFileSync(`${name}.json`, wire.body)
  writeFileSync(`${name}.lua`, script(`${name}.json`, target.port, { ...wire, headers: wire.headers.slice(0, copies) }))
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', `${name}.lua`]
  const output = await readOutput('taskset', [
    '-c',
    String(OTHER_CORE),
    'wrk',
    ...args,
    `http://127.0.0.1:${target.port}${wire.path}`,
  ])
  const refused = /Non-2xx or 3xx responses: (\d+)|Socket errors: (.+)/.exec(output)
  if (refused !== null) throw new Error(`${target.name}: ${refused[0]}`)
  const completed = Number(/(\d+) requests in/.exec(output)?.[1] ?? 0)
  if (completed === 0) throw new Error(`${target.name} answered nothing:\n${output}`)
  return completed
}

function script(bodyFile: string, port: number, wire: Wire): string {
  // Not by `wrk.format`, which puts the headers of every run into another order.
  const requests = requestHeads(port, wire).map((head) => `  ${JSON.stringify(head)} .. body,`)
  return `
local requests
local turn = 0
function init()
  local file = io.open(${JSON.stringify(bodyFile)}, 'rb')
  local body = file:read('*a')
  file:close()
  requests = {
${requests.join('\n')}
  }
end
function request()
  turn = turn % #requests + 1
  return requests[turn]
end
`
}

function readOutput(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const gather = (bytes: Buffer): void => {
      output += bytes.toString()
    }
    child.stdout.on('data', gather)
    child.stderr.on('data', gather)
    child.once('error', reject)
    child.once('close', () => resolve(output))
  })
}

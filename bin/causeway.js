#!/usr/bin/env node
/** Starts the command line under the Node it was written for: this one when it is new enough, else the one that came with the package. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const NEEDED_MAJOR = 26
const EXIT_FAILED = 1

const root = dirname(dirname(fileURLToPath(import.meta.url)))
// A checkout runs its sources; the published package holds compiled files, because Node strips no types below node_modules.
const source = join(root, 'cli', 'main.ts')
const entry = existsSync(source) ? source : join(root, 'dist', 'cli', 'main.js')

if (Number.parseInt(process.versions.node, 10) < NEEDED_MAJOR) runUnder(findNode())
else await import(pathToFileURL(entry).href)

function findNode() {
  try {
    const found = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node')
    const file = process.platform === 'win32' ? `${found}.exe` : found
    if (existsSync(file)) return file
  } catch {
    // The package was installed without its dependencies; the message below says what to do.
  }
  process.stderr.write(
    `causeway: it needs Node ${NEEDED_MAJOR}, and this is ${process.versions.node}. The Node that belongs to it is not installed.\n` +
      'Run "npm rebuild node" where causeway is installed, or put a newer Node first in PATH.\n',
  )
  process.exit(EXIT_FAILED)
}

/** @param {string} node */
function runUnder(node) {
  // By the name the child knows that a signal may reach it twice: by itself, and passed on.
  // biome-ignore lint/style/noProcessEnv: the child gets what this process got.
  const env = { ...process.env, CAUSEWAY_LAUNCHER: '1' }
  const child = spawn(node, [...process.execArgv, entry, ...process.argv.slice(2)], { stdio: 'inherit', env })
  // Ctrl-C reaches the child by itself; what is sent to this process alone is passed on.
  process.on('SIGINT', () => undefined)
  for (const signal of ['SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(/** @type {NodeJS.Signals} */ (signal)))
  child.on('error', (error) => {
    process.stderr.write(`causeway: ${node} could not be started: ${error.message}\n`)
    process.exit(EXIT_FAILED)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? EXIT_FAILED)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

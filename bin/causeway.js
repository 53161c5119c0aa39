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

/**
 * For the gateway alone: its heap may double between two collections, is marked by the thread that serves and never
 * shrunk in a quiet moment. See docs/adr/0018; Node takes them on its command line only.
 */
const servingFlags = ['--no-concurrent-marking', '--no-memory-reducer', '--heap-growing-percent=100']
// Options may stand before the command. The word as an argument of another one costs that a few milliseconds.
const missingFlags = process.argv.includes('serve')
  ? servingFlags.filter((flag) => !process.execArgv.includes(flag))
  : []

if (Number.parseInt(process.versions.node, 10) < NEEDED_MAJOR) runUnder(findNode())
else if (missingFlags.length === 0) await import(pathToFileURL(entry).href)
// The same process goes on with another program, so that signals and process managers see only one.
else if (process.platform !== 'win32') process.execve(process.execPath, [process.execPath, ...nodeArguments()])
else runUnder(process.execPath)

function nodeArguments() {
  return [...process.execArgv, ...missingFlags, entry, ...process.argv.slice(2)]
}

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
  const child = spawn(node, nodeArguments(), { stdio: 'inherit', env })
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

#!/usr/bin/env node
/** The process of the command line. */
import { readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'

// Before anything else is loaded: half of a short command's time is compiling modules that have not changed.
enableCompileCache()
const { processIo } = await import('./terminal/io.ts')
const { runCli } = await import('./app/run.ts')

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())

const code = await runCli(process.argv.slice(2), processIo(stop.signal), version)
// A gateway in this process has a code of its own, for a configuration that is not valid.
if (code !== 0) process.exitCode = code

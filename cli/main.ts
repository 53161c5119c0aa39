#!/usr/bin/env node
/** The process of the command line. */
import { readFileSync } from 'node:fs'
import { enableCompileCache, setSourceMapsSupport } from 'node:module'
import { projectFile } from '../src/foundation/platform/project-file.ts'

// Before anything else is loaded: half of a short command's time is compiling modules that have not changed. Where the
// folder cannot be written, Node goes on without it.
enableCompileCache()
// Stack traces of a build name the TypeScript sources. An installed package lies below node_modules.
setSourceMapsSupport(true, { nodeModules: true })
const { processIo } = await import('./terminal/io.ts')
const { runCli } = await import('./app/run.ts')

const { version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { version: string }
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())

const code = await runCli(process.argv.slice(2), processIo(stop.signal), version)
// A gateway in this process has a code of its own, for a configuration that is not valid.
if (code !== 0) process.exitCode = code

#!/usr/bin/env node
/** Entry of the command line: runs a command and turns a refusal into one line and status 1. */
import { CliError } from './admin-api.ts'
import { createProgram } from './program.ts'

const program = createProgram({ environment: process.env, print: (line) => process.stdout.write(`${line}\n`) })

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof CliError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

/** Several test files in one process, one after the other: loading the modules of the gateway takes longer than most of the tests. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Writes a test file for every `together` of `files`, neighbours together, and returns these. They are gone when the process ends. */
export function groupFiles(files: readonly string[], together: number, timeoutMs: number): readonly string[] {
  // Not below node_modules, where Node looks for no tests.
  const folder = mkdtempSync(join(tmpdir(), 'causeway-tests-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const sorted = files.toSorted()
  const groups: string[] = []
  for (let first = 0; first < sorted.length; first += together) {
    const group = join(folder, `${String(groups.length).padStart(3, '0')}.test.mjs`)
    writeFileSync(group, programFor(sorted.slice(first, first + together), timeoutMs))
    groups.push(group)
  }
  return groups
}

/**
 * Each file is a suite, so that its hooks and its time are its own; what it has set in the environment ends with it.
 * Files are imported one after the other. The runner finds the suite of a test by the promises that led to it, so two imports
 * that wait for the same module would add their tests to one suite. For this reason nobody waits for a promise of another suite.
 */
function programFor(files: readonly string[], timeoutMs: number): string {
  const suites = files.map((file, index) => {
    const address = JSON.stringify(pathToFileURL(resolve(file)).href)
    return `suite(${JSON.stringify(file)}, { timeout: ${timeoutMs} }, async () => {
  before(restore)
  await inTurn(${index}, () => import(${address}))
})
`
  })
  return `import { before, suite } from 'node:test'
const environment = { ...process.env }
function restore() {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
}
let turn = 0
async function inTurn(own, load) {
  while (turn !== own) await new Promise((resolve) => setTimeout(resolve, 1))
  try {
    await load()
  } finally {
    turn += 1
  }
}
${suites.join('')}`
}

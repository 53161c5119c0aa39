/** Every module and every extension explains itself on one screen, always under the same headings. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const MOST_LINES = 45
const headings = ['Rules', 'State', 'When something fails', 'Not here', 'Files to open first']

const folders = globSync('src/{modules,extensions}/*', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => path.join(entry.parentPath, entry.name))
  .sort()

const readmeOf = (folder: string): string => path.join(folder, 'README.md')

test('every module and every extension has a README of one screen with the same headings', () => {
  assert.ok(folders.includes('src/modules/budgets'))
  const wrong = folders.flatMap((folder) => {
    if (!existsSync(readmeOf(folder))) return [`${folder} has no README.md`]
    const lines = readFileSync(readmeOf(folder), 'utf8').trimEnd().split('\n')
    const found = lines.filter((line) => line.startsWith('## ')).map((line) => line.slice('## '.length))
    return [
      ...(lines.length > MOST_LINES ? [`${folder} has ${lines.length} lines, more than ${MOST_LINES}`] : []),
      ...(lines[0] === `# ${path.basename(folder)}` ? [] : [`${folder} does not begin with its name`]),
      ...(found.join() === headings.join() ? [] : [`${folder} has the headings ${found.join(', ')}`]),
    ]
  })
  assert.deepEqual(wrong, [])
})

test('every file that a README under src names is there', () => {
  const missing = globSync('src/**/README.md').flatMap((readme) =>
    [...readFileSync(readme, 'utf8').matchAll(/`(\w[\w@./-]*)`/g)]
      .map(([, named = '']) => named)
      .filter((named) => /\.(ts|md|json|sql|sh)$/.test(named) || /^\w[\w-]*(\/[\w.-]+)*\/$/.test(named))
      .filter((named) => !existsSync(path.join(path.dirname(readme), named)) && !existsSync(named))
      .map((named) => `${readme}: ${named}`),
  )
  assert.deepEqual(missing, [])
})

test('a README names three to six places to begin with', () => {
  const wrong = folders.flatMap((folder) => {
    if (!existsSync(readmeOf(folder))) return []
    const files = readFileSync(readmeOf(folder), 'utf8').split('## Files to open first\n')[1] ?? ''
    const lines = files.split('\n').filter((line) => line.startsWith('- ')).length
    return lines >= 3 && lines <= 6 ? [] : [`${folder} names ${lines}`]
  })
  assert.deepEqual(wrong, [])
})

test('every row of the failure modes that a README names is there', () => {
  const rows = new Set(
    [...readFileSync('docs/failure-modes.md', 'utf8').matchAll(/^\| ([^|]+?) \|/gm)].map(([, row = '']) => row),
  )
  const unknown = globSync('src/**/README.md').flatMap((readme) =>
    [...readFileSync(readme, 'utf8').matchAll(/\(`([a-z][a-z' -]+ [a-z' -]+)`\)/gi)]
      .map(([, row = '']) => row)
      .filter((row) => !rows.has(row))
      .map((row) => `${readme}: ${row}`),
  )
  assert.deepEqual(unknown, [])
})

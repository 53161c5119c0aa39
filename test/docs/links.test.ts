import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...globSync('{docs,deploy,bench,portal}/**/*.md', { exclude: ['**/node_modules/**'] }),
]

test('every link between pages leads to a file, and every page of the guides is in the list', () => {
  const broken = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(path.join(path.dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  )
  assert.deepEqual(broken, [])
  const list = readFileSync('docs/README.md', 'utf8')
  for (const page of globSync('docs/{start,guides}/*.md'))
    assert.ok(list.includes(page.slice('docs/'.length)), `${page} is not in docs/README.md`)
})

test('variables, settings and commands that pages name exist', () => {
  const known = readFileSync('docs/configuration.md', 'utf8')
  const commands = readFileSync('docs/cli.md', 'utf8')
  for (const page of globSync('docs/{start,guides}/*.md').concat('docs/operations.md', 'docs/security.md')) {
    const text = readFileSync(page, 'utf8')
    for (const [, name = ''] of text.matchAll(
      /`((?:ADMIN|PROXY|DATABASE|TRUSTED|EGRESS|DRAIN|SECRET|METRICS|PUBLIC|CAPABILITY|BUDGET)_[A-Z_]+)(?:=[^`]*)?`/g,
    ))
      assert.ok(known.includes(name), `${page} names ${name}`)
    for (const [, command = ''] of text.matchAll(/`?causeway ((?:[a-z-]+ )?[a-z]+)/g)) {
      const [noun = ''] = command.split(' ')
      if (/^(keys|teams|users|budgets|betas|analytics|doctor|login|connect|migrate|export|apply|status)$/.test(noun))
        assert.ok(commands.includes(`causeway ${noun}`), `${page} names causeway ${noun}`)
    }
  }
})

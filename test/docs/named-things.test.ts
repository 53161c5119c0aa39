/** Whatever the pages name, a reader must find: commands with their options, variables, routes, figures. Paths have a test of their own. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CommanderError } from 'commander'
import { splitLine } from '../../cli/app/complete.ts'
import { createProgram } from '../../cli/app/program.ts'
import { settingSpecs } from '../../src/foundation/domain/settings.ts'

/** Pages by hand. Those that are made from the code name only what it has; decisions may speak of what is gone. */
const pages = globSync(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', '{docs,deploy,bench,portal}/**/*.md'], {
  exclude: ['**/node_modules/**', 'docs/adr/**', 'docs/spec-gaps.md', 'docs/cli.md', 'docs/configuration.md'],
})

interface Named {
  readonly page: string
  /** What stands in backticks or in a block of code, line by line. */
  readonly code: readonly string[]
}

const named: readonly Named[] = pages.map((page) => {
  const text = readFileSync(page, 'utf8')
  const blocks = [...text.matchAll(/^```(?!mermaid).*?\n(.*?)^```$/gms)].map(([, block = '']) =>
    block.replaceAll('\\\n', ' '),
  )
  const inline = [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+(?:\n[^`\n]+)?)`/g)].map(
    ([, code = '']) => code,
  )
  return {
    page,
    code: [...blocks.flatMap((block) => block.split('\n')), ...inline.map((code) => code.replaceAll(/\s+/g, ' '))],
  }
})

/** Every match in every page, with what the check says about it. */
function findUnknown(pattern: RegExp, isKnown: (...groups: string[]) => boolean): readonly string[] {
  return named.flatMap(({ page, code }) =>
    code
      .flatMap((line) => [...line.matchAll(pattern)])
      .filter(([, ...groups]) => !isKnown(...groups.map((group) => group ?? '')))
      .map(([match]) => `${page}: ${match.trim()}`),
  )
}

/** A page may name a command without its arguments, and a noun without its verb. */
const abbreviations = ['commander.missingArgument', 'commander.help', 'commander.helpDisplayed', 'commander.version']

async function commandMistake(line: string): Promise<string | undefined> {
  const program = await createProgram({
    io: { out: () => {}, err: () => {}, isTerminal: false, columns: 120, environment: {} },
    version: '0',
    chosen: 'every',
    run: async () => {},
  })
  try {
    await program.parseAsync([...splitLine(line)], { from: 'user' })
    return undefined
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return abbreviations.includes(error.code) ? undefined : error.message
  }
}

test('every command of the pages is understood as it stands', async () => {
  const lines = named.flatMap(({ page, code }) =>
    code
      .flatMap((line) => [...line.matchAll(/(?:^|\$ |npx |[;|&(] ?)(causeway [^;|&>)#]+)/g)])
      .map(([, line = '']) => ({ page, line: line.trim().replaceAll('…', 'x') })),
  )
  assert.ok(lines.length > 30, `only ${lines.length} commands were recognised`)
  const mistakes: string[] = []
  for (const { page, line } of lines) {
    const mistake = await commandMistake(line)
    if (mistake !== undefined) mistakes.push(`${page}: ${line}: ${mistake}`)
  }
  assert.deepEqual(mistakes, [])
  for (const wrong of [
    'causeway keys creates x',
    'causeway keys list --nope',
    'causeway scim tokens create Okta production',
  ])
    assert.ok((await commandMistake(wrong)) !== undefined, wrong)
})

/** Of other programs: the client, Node, the AWS SDK, the shell. Constants of code samples end in their unit. */
const foreign =
  /^(ANTHROPIC|CLAUDE_CODE|AWS|OTEL|NODE|XDG|SSH|DISABLE)_|^(NO_COLOR|HTTPS_PROXY|TEST_DATABASE_URL|CAUSEWAY_(URL|TOKEN|KEY|PROFILE))$|_MS$/

test('every variable of the pages is described', () => {
  const known = new Set(
    [...readFileSync('docs/configuration.md', 'utf8').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name),
  )
  assert.ok(known.size > 30)
  const unknown = findUnknown(/(?<![\w{.-])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?![\w.-])/g, (name) => {
    return known.has(name) || known.has(name.replace(/_FILE$/, '')) || foreign.test(name)
  })
  assert.deepEqual(unknown, [])
})

test('every route of the pages is served', () => {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, unknown>>
  }
  const patterns = Object.entries(paths).map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    methods: Object.keys(methods),
  }))
  let seen = 0
  const unknown = findUnknown(/\b(GET|HEAD|POST|PUT|PATCH|DELETE) (\/[\w./{}:-]*)/g, (method, path) => {
    seen += 1
    const wanted = method === 'HEAD' ? ['head', 'get'] : [method.toLowerCase()]
    return patterns.some(({ pattern, methods }) => pattern.test(path) && wanted.some((one) => methods.includes(one)))
  })
  assert.deepEqual(unknown, [])
  assert.ok(seen > 20, `only ${seen} routes were recognised`)
})

test('every figure and setting of the pages is there', () => {
  const figures = readFileSync('docs/metrics.md', 'utf8')
  assert.deepEqual(
    findUnknown(
      /\b(gateway_[a-z_]+|gen_ai_[a-z_]+)\b/g,
      (name) => figures.includes(`\`${name.replace(/_(bucket|sum|count)$/, '')}`) || name.endsWith('_'),
    ),
    [],
  )
  const settings = named.flatMap(({ page }) =>
    [...readFileSync(page, 'utf8').matchAll(/\bsettings?\s+`([a-z_]+)`/g)].map(([, name = '']) => ({ page, name })),
  )
  assert.ok(settings.length > 1)
  for (const { page, name } of settings)
    assert.ok(Object.hasOwn(settingSpecs, name), `${page} names the setting ${name}`)
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { listCommands } from '../../cli/app/list-commands.ts'
import { nouns } from '../../cli/app/nouns.ts'
import { extensionSamples } from '../support/extensions.ts'
import { createRunner } from './cli-runner.ts'

const commands = await listCommands()

test('every route of the admin API and of /me is declared by one command, and nothing else is', () => {
  const description = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, unknown>>
  }
  const routes = Object.entries(description.paths)
    .filter(([path]) => /^\/(admin|me)(\/|$)/.test(path))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
  assert.ok(routes.length > 60)
  assert.deepEqual(commands.flatMap(({ leaf }) => leaf.routes ?? []).toSorted(), routes.toSorted())
})

test('the one-line list of nouns says what the nouns say of themselves', async () => {
  for (const entry of nouns) {
    const noun = await entry.load()
    assert.equal(noun.name, entry.name)
    assert.equal(noun.summary === entry.summary || entry.name === 'me', true, entry.name)
  }
})

test('every command has help with an example that it can parse itself, and refuses unknown options', async () => {
  const cli = createRunner({})
  try {
    for (const { path, leaf } of commands) {
      const help = await cli.run([...path, '--help'])
      assert.equal(help.code, 0, path.join(' '))
      assert.match(help.out, /Usage: causeway/)
      assert.ok((leaf.examples ?? []).length > 0, `${path.join(' ')} has no example`)
      for (const example of leaf.examples ?? []) assert.ok(example.startsWith(path[0] ?? ''), example)
      const wrong = await cli.run([...path, '--no-such-option'])
      assert.deepEqual([wrong.code, wrong.out], [2, ''], path.join(' '))
    }
  } finally {
    cli.close()
  }
})

test('a command that misses an argument is a mistake in usage, before any gateway is asked', async () => {
  const cli = createRunner({ CAUSEWAY_URL: 'http://127.0.0.1:2', CAUSEWAY_TOKEN: 'sess-x' })
  try {
    for (const { path, leaf } of commands) {
      if (!leaf.args?.some(({ name }) => name.startsWith('<'))) continue
      const { code, err } = await cli.run(path)
      assert.equal(code, 2, path.join(' '))
      assert.match(err, /missing required argument/)
    }
  } finally {
    cli.close()
  }
})

test('every command that asks a gateway says when nobody is signed in and when it cannot be reached', async () => {
  const cli = createRunner({})
  const words: Readonly<Record<string, string>> = {
    '<mode>': 'disabled',
    '<supported>': 'true',
    '<type>': 'webhook',
    '<file>': '-',
    '<shell>': 'bash',
    '<scope>': 'user',
    '<usd>': '5',
  }
  const local = new Set([
    'serve',
    'demo',
    'migrate',
    'login',
    'logout',
    'profiles',
    'completion',
    'statusline',
    'doctor',
    'connect',
    'run',
    ...extensionSamples.flatMap(({ withoutGateway = [] }) => withoutGateway),
  ])
  const id = '01900000-0000-7000-8000-000000000000'
  try {
    for (const { path, leaf } of commands) {
      if (local.has(path[0] ?? '')) continue
      const args = [
        ...path,
        ...(leaf.args ?? []).filter(({ name }) => name.startsWith('<')).map(({ name }) => words[name] ?? id),
      ]
      if (path[0] === 'budgets' && leaf.options?.some(({ flags }) => flags.startsWith('--team')) === true)
        args.push(
          '--team',
          id,
          ...(leaf.options.some(({ flags }) => flags === '--limit <usd>') ? ['--limit', '5'] : []),
        )
      if (path.join(' ') === 'idps create' || path.join(' ') === 'idps test')
        args.push('--issuer', 'https://a.example', '--audience', 'a')
      if (path.join(' ') === 'notifications categories') args.push('--budget', 'true')
      if (path.join(' ') === 'prices set')
        args.push('--input-usd', '1', '--output-usd', '1', '--cache-read-usd', '1', '--cache-write-5m-usd', '1')
      if (path.join(' ') === 'me search-provider set') args.push('--provider', 'duckduckgo')
      if (path[1] === 'update') args.push(...(path[0] === 'users' ? ['--role', 'member'] : ['--name', 'other']))
      if (leaf.kind === 'destroy') args.push('--yes')
      const env = { CAUSEWAY_URL: 'http://127.0.0.1:2' }
      const anonymous = await cli.run(args, { env, input: '{}' })
      const wanted = path.join(' ') === 'keys test' ? 7 : 4
      assert.deepEqual([anonymous.code, anonymous.out], [wanted, ''], `${path.join(' ')}: ${anonymous.err}`)
      const away = await cli.run(args, { env: { ...env, CAUSEWAY_TOKEN: 'sess-x' }, input: '{}' })
      assert.deepEqual([away.code, away.out], [7, ''], `${path.join(' ')}: ${away.err}`)
    }
  } finally {
    cli.close()
  }
})

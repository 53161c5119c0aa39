import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useGatewayCli } from '../cli/gateway-cli.ts'

const own = useGatewayCli()

test('a budget is tried without being set', async () => {
  await own.cli.json(['teams', 'create', 'Platform'])
  await own.cli.json(['users', 'create', 'ada', '--team', 'Platform'])
  const tried = await own.cli.json(['budgets', 'simulate', '--user', 'ada', '--limit', '5'])
  assert.deepEqual([tried.scope, tried.total, tried.subjects[0].status, tried.finished.length], ['user', 1, 'ok', 3])
  const members = await own.cli.run([
    'budgets',
    'simulate',
    '--members',
    'Platform',
    '--limit',
    '5',
    '--period',
    'weekly',
  ])
  assert.equal(members.code, 0)
  assert.match(members.err, /of \d+ above the limit now: 0 warned, 0 slowed down, 0 stopped\./)
  const rules = JSON.stringify([{ at_percent: 90, action: 'block' }])
  const forAll = await own.cli.json(['budgets', 'simulate', '--default', '--limit', '5', '--rules-file', '-'], {
    input: rules,
  })
  assert.equal(forAll.scope, 'default')
  assert.equal((await own.cli.run(['budgets', 'show', '--user', 'ada'])).code, 3)
  for (const bad of [['--limit', '5'], ['--default'], ['--default', '--team', 'Platform', '--limit', '5']])
    assert.equal((await own.cli.run(['budgets', 'simulate', ...bad])).code, 2, bad.join(' '))
})

test('every route of these commands was called by the command that declares it', () => {
  assert.deepEqual(own.cli.uncalled(['budgets simulate']), [])
})

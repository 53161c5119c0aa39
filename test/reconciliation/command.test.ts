import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { useGatewayCli } from '../cli/gateway-cli.ts'
import { until } from '../endpoints/admin-client.ts'

const own = useGatewayCli()

async function call(model: string): Promise<void> {
  const { key } = await own.cli.json(['keys', 'create', 'ci'])
  await until(async () => {
    const answer = await fetch(`${own.gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: 16, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    return answer.status === 200
  })
  await until(async () => (await own.cli.json(['analytics', 'overview', '--days', '1'])).totals.requests > 0)
}

test('a report of the cloud bill is compared, from a file, packed, or from standard input', async () => {
  await call('claude-sonnet-5')
  const [yesterday, today] = [86_400_000, 0].map((ago) => new Date(Date.now() - ago).toISOString().slice(0, 10))
  const { totals } = await own.cli.json(['analytics', 'overview', '--days', '1'])
  const spent = Number(totals.spend_usd)
  const name = 'Claude Sonnet 5 (Amazon Bedrock Edition)($)'
  // With the day before: the first day of a month alone might be the whole month.
  const report = (usd: number): string =>
    `Service,${name},Tax($),Total costs($)\n${yesterday},0,0,0\n${today},${usd},3,${usd + 3}\n`
  const file = join(own.cli.home, 'bill.csv')
  writeFileSync(file, report(spent))
  const range = ['--from', `${today}`, '--to', `${today}`]
  const same = await own.cli.json(['analytics', 'reconcile', file, ...range])
  assert.deepEqual([same.totals.status, same.totals.difference_usd], ['match', 0])
  writeFileSync(`${file}.gz`, gzipSync(report(spent)))
  assert.deepEqual(await own.cli.json(['analytics', 'reconcile', `${file}.gz`, ...range]), same)

  const input = report(spent * 2)
  const more = await own.cli.run(['analytics', 'reconcile', '-', ...range], {
    input,
    terminal: true,
    env: { NO_COLOR: '1' },
  })
  assert.equal(more.code, 8)
  assert.match(more.out, /MODEL +BILLED +GATEWAY +DIFFERENCE/)
  assert.match(more.out, /\nall +\$/)
  assert.match(more.out, /Where the difference comes from\n +\$.* not final/)
  assert.match(more.out, /Left out of the comparison\n +\$3\.00 {2}Taxes \(1\)/)
  assert.match(more.err, /differ by \$.* \(50 %\), more than 1 %/)
  const fine = await own.cli.run(['analytics', 'reconcile', '-', ...range, '--tolerance', '60'], { input })
  assert.equal(fine.code, 0)
})

test('a report that cannot be read says why, however long it is', async () => {
  const missing = await own.cli.run(['analytics', 'reconcile', join(own.cli.home, 'nowhere.csv')])
  assert.deepEqual([missing.code, missing.err.includes('no such file')], [1, true])
  assert.equal((await own.cli.run(['analytics', 'reconcile', own.cli.home])).code, 2)
  const file = join(own.cli.home, 'long.csv')
  writeFileSync(file, Buffer.alloc(20_000_000, 'a,b\n'))
  const refused = await own.cli.run(['analytics', 'reconcile', file])
  assert.equal(refused.code, 2)
  assert.match(refused.err, /The report cannot be compared: its first line .* It has a, b/)
  const strange = await own.cli.run(['analytics', 'reconcile', '-', '--tolerance', 'some'], { input: '' })
  assert.equal(strange.code, 2)
})

test('every route of these commands was called by the command that declares it', () => {
  assert.deepEqual(own.cli.uncalled(['analytics reconcile']), [])
})

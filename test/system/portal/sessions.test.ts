/** Where people are signed in, what their clients have asked for, lists as files, and an hour of calls from one source. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createSpendLog } from '../../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../../database/samples.ts'
import { chromiumPath } from '../../sign-in/browser.ts'
import { asAdmin, beginCliLogin, type CookieJar, me, poll, post, signIn } from '../../sign-in/login-app.ts'
import {
  asAdministrator,
  asMember,
  assertSoundPage,
  assertSoundWindow,
  type PortalWorld,
  startPortalWorld,
  visit,
} from './journey.ts'

if (chromiumPath !== undefined) describe('sessions', sessionTests)

function sessionTests(): void {
  let world: PortalWorld

  before(async () => {
    world = await startPortalWorld()
  })

  after(() => world.stop())

  async function cliToken(jar: CookieJar): Promise<string> {
    const begun = await beginCliLogin(world.gateway)
    await post(world.gateway, jar, '/auth/cli/complete', { user_code: begun.user_code })
    return ((await (await poll(world.gateway, begun.session_code)).json()) as { token: string }).token
  }

  const toStatus = async (token: string, path = '/me') =>
    (await fetch(`${world.gateway.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status

  const buildFile = async (page: Page): Promise<readonly string[]> => {
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    return (await readFile(await (await file).path(), 'utf8')).trim().split('\r\n')
  }

  test('a person sees where they are signed in, signs one out, then everywhere, and is asked to sign in', async () => {
    const token = await cliToken(await signIn(world.gateway, 'alice@example.com'))
    const visitor = await asMember(world, '/me/settings')
    const { page } = visitor
    const card = page.getByRole('region', { name: 'Where you are signed in' })
    const own = card.getByRole('listitem').filter({ hasText: 'This session' })
    await own.getByText(/^Chrome \d+ on Linux$/).waitFor()
    await own.getByText('Single sign-on from 127.0.0.1').waitFor()
    const cli = card.getByRole('listitem').filter({ hasText: 'Confirmed for a terminal' })
    await assertSoundPage(world, visitor, '/me/settings')
    assert.equal(await card.getByRole('listitem').count(), 3)
    await cli.getByRole('button', { name: /^Sign out/ }).click()
    await assertSoundWindow(page, 'sign one out')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('is signed out.').waitFor()
    await cli.waitFor({ state: 'detached' })
    assert.equal(await toStatus(token), 401)
    await card.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByText('2 sessions end within 5 seconds on every instance, this one too.').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('link', { name: 'Continue with Example SSO' }).waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('an administrator signs a person out, and reads how many sessions a suspension ends', async () => {
    const jar = await signIn(world.gateway, 'bob@example.com')
    const token = await cliToken(jar)
    const { user } = await me(world.gateway, jar)
    const visitor = await asAdministrator(world, `/users/${user?.id}`)
    const { page } = visitor
    const card = page.getByRole('region', { name: 'Open sessions' })
    await card.getByRole('listitem').nth(1).waitFor()
    await page.getByRole('button', { name: 'Suspend' }).click()
    await page.getByText('2 sessions end and').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await card.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByText('bob@example.com is signed out everywhere.').waitFor()
    await card.getByText('No open session').waitFor()
    assert.equal(await toStatus(token), 401)
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('what has happened is not to come, whatever the clocks say', async () => {
    const visitor = await asMember(world, '/me/requests')
    const { page } = visitor
    await page.clock.setSystemTime(Date.now() - 3 * 3_600_000)
    await page.goto(`${world.gateway.url}/portal#/me/settings`)
    const own = page.getByRole('listitem').filter({ hasText: 'This session' })
    await own.getByText('Last used just now, ends').waitFor()
    await own.getByText('from 127.0.0.1, just now').waitFor()
    await visitor.close()
  })

  test('sessions that cannot be read say so and can be asked for again', async () => {
    const visitor = await asMember(world, '/me/requests')
    const { page } = visitor
    const error = { type: 'api_error', message: 'The database does not answer.', code: 'test' }
    const answer = { status: 503, json: { type: 'error', error, request_id: 'req_test' } }
    await page.route(/\/me\/sessions/, (route) => route.fulfill(answer))
    await page.goto(`${world.gateway.url}/portal#/me/settings`)
    const card = page.getByRole('region', { name: 'Where you are signed in' })
    await card.getByText('The database does not answer.').waitFor()
    await page.unroute(/\/me\/sessions/)
    await card.getByRole('button', { name: 'Try again' }).click()
    await card.getByText('This session').waitFor()
    await visitor.close()
  })

  test('the connect page turns green when the client asks for the models', async () => {
    const visitor = await asMember(world, '/connect')
    const { page } = visitor
    const step = page.getByRole('listitem').filter({ hasText: 'Models fetched' })
    await step.getByText('When your client asks for the list of models').waitFor()
    const token = await cliToken(await signIn(world.gateway, 'alice@example.com'))
    assert.equal(await toStatus(token, '/v1/models'), 200)
    await step.getByText('Your client asked for the list').waitFor()
    await visitor.close()
  })

  test('teams, requests and the audit trail become files, as they are filtered', async () => {
    for (const name of ['Alpha', 'Beta']) {
      const made = (await (await asAdmin(world.gateway, 'POST', '/admin/teams', { name })).json()) as { id: string }
      const budget = { limit_usd: 40, period: 'monthly', policy: 'standard' }
      if (name === 'Alpha') await asAdmin(world.gateway, 'PUT', `/admin/teams/${made.id}/budget`, budget)
    }
    // More than a list of budgets shows at once.
    await world.gateway.database?.pool.query(`
      with crews as (insert into teams (id, name) select gen_random_uuid(), 'Crew ' || n from generate_series(1, 201) n returning id)
      insert into budgets (id, team_id, limit_nano_usd, period, rules) select gen_random_uuid(), id, 1000, 'daily', '[]' from crews`)
    const visitor = await asAdministrator(world, '/teams?q=alp')
    const { page } = visitor
    await page.getByRole('cell', { name: '$0.00 of $40.00' }).waitFor()
    const teams = await buildFile(page)
    assert.equal(teams[0], 'id,name,members,created_at,budget_usd,spend_usd,budget_status')
    assert.deepEqual([teams.length, teams[1]?.split(',')[1], teams[1]?.split(',').at(-3)], [2, 'Alpha', '40'])
    await page.goto(`${world.gateway.url}/portal#/audit?q=team.create`)
    await page.getByRole('button', { name: 'team.create' }).nth(1).waitFor()
    await page.getByRole('button', { name: 'sign-in' }).waitFor({ state: 'detached' })
    const audit = await buildFile(page)
    assert.equal(audit[0], 'at,actor,action,target,before,after,source_address,request_id')
    assert.equal(audit.length, 3)
    assert.ok(audit.slice(1).every((line) => line.includes(',team.create,')))
    const pool = world.gateway.database
    assert.ok(pool !== undefined)
    const log = createSpendLog(pool.kysely)
    await log.appendBatch([aSpendRecord({ atMs: Date.now() - 60_000, model: 'exported' })])
    await page.goto(`${world.gateway.url}/portal#/requests?q=model:exported`)
    await page.getByRole('cell', { name: 'exported' }).waitFor()
    const requests = await buildFile(page)
    assert.match(requests[0] ?? '', /^at,request_id,status,/)
    assert.deepEqual([requests.length, requests[1]?.includes(',exported,')], [2, true])
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('the calls of the last hour are those of the records, which no restart forgets, on every page', async () => {
    const list = await asAdmin(world.gateway, 'GET', '/admin/endpoints')
    const endpointId = ((await list.json()) as { data: { id: string }[] }).data[0]?.id ?? ''
    const database = world.gateway.database
    assert.ok(database !== undefined)
    const records = [200, 200, 200, 500].map((status) =>
      aSpendRecord({ endpointId, status, atMs: Date.now() - 120_000 }),
    )
    await createSpendLog(database.kysely).appendBatch(records)
    const hour = await asAdmin(world.gateway, 'GET', '/admin/health/history')
    const { endpoints } = (await hour.json()) as { endpoints: { id: string; minutes: { requests: number }[] }[] }
    const countCalls = (some: typeof endpoints): number =>
      some.flatMap(({ minutes }) => minutes).reduce((sum, { requests }) => sum + requests, 0)
    const calls = countCalls(endpoints)
    const own = String(countCalls(endpoints.filter(({ id }) => id === endpointId)))
    assert.ok(Number(own) >= records.length)
    const visitor = await asAdministrator(world, '/health')
    const tile = visitor.page.locator('p', { hasText: /^Calls, last hour$/ }).locator('..')
    await tile.getByText(String(calls), { exact: true }).waitFor()
    await tile.getByText(/failed or throttled/).waitFor()
    const { page } = visitor
    await visit(world, visitor, `/endpoints/${endpointId}`)
    await tile.getByText(own, { exact: true }).waitFor()
    await visit(world, visitor, '/endpoints')
    await page.getByRole('table', { name: 'Endpoints' }).getByRole('cell', { name: own, exact: true }).waitFor()
    const place = { name: 'Frankfurt', region: 'eu-central-1', routing_prefix: 'eu' }
    const made = await asAdmin(world.gateway, 'POST', '/admin/endpoints', place)
    const { id: drained } = (await made.json()) as { id: string }
    const served = [1, 2, 3].map(() => aSpendRecord({ endpointId: drained, atMs: Date.now() - 120_000 }))
    await createSpendLog(database.kysely).appendBatch(served)
    await visit(world, visitor, `/endpoints/${drained}`)
    await page.getByRole('button', { name: 'Drain', exact: true }).click()
    await page.getByRole('dialog').getByText('It served 3 calls in the last hour.').waitFor()
    await visitor.close()
  })
}

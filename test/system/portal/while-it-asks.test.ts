/**
 * Every page with its answers held back and let through one by one: what it tells meanwhile it still tells when all is known.
 * A number, a "none" or an empty list that stands there before its answer would be taken for one.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page, Route } from 'playwright-core'
import { chromiumPath } from '../../sign-in/browser.ts'
import { asAdmin } from '../../sign-in/login-app.ts'
import type { Known } from './failure-cases/failure-case.ts'
import { startFailureWorld } from './failure-cases/failure-world.ts'
import { asAdministrator, type PortalWorld, type Visitor } from './journey.ts'

interface Ids extends Known {
  readonly key: string
  readonly request: string
}

/** Every page, and every tab that reads something of its own. */
const addresses: readonly string[] = [
  '/',
  '/access',
  '/api',
  '/audit',
  '/budget-requests?status=all',
  '/budgets',
  '/connect',
  '/device?user_code={cliCode}',
  '/endpoints',
  '/endpoints?tab=routing&team={team}',
  '/endpoints/{endpoint}',
  '/endpoints/{endpoint}?tab=models',
  '/endpoints/{endpoint}?tab=capabilities',
  '/endpoints/{endpoint}?tab=quotas',
  '/health',
  '/keys?show=all',
  '/keys/{key}',
  '/me/requests?id={request}',
  '/me/search',
  '/me/settings',
  '/models',
  '/models?tab=prices',
  '/notifications',
  '/org-analytics',
  '/org-analytics?tab=activity',
  '/org-analytics?tab=models',
  '/org-analytics?tab=tools',
  '/requests',
  '/requests/{request}',
  '/security',
  '/sessions',
  '/settings',
  '/settings?tab=clients',
  '/teams',
  '/teams/{team}',
  '/teams/{team}?tab=keys',
  '/users?team={team}',
  '/users/{alice}',
  '/web-search',
  '/welcome',
]

test('every page is looked at', () => {
  const folder = path.resolve(import.meta.dirname, '../../../portal/src')
  const registered = globSync('**/*.page.ts', { cwd: folder }).flatMap((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8')
    // Those that are open have no session to look with.
    return /access: 'open'/.test(text) ? [] : [/^ {2}path: '([^']+)'/m.exec(text)?.[1]?.replace(/\$\w+/, '{}')]
  })
  const looked = addresses.map((address) => address.replace(/\?.*/, '').replace(/\{\w+\}/, '{}'))
  assert.deepEqual([...new Set(looked)].toSorted(), registered.toSorted())
})

if (chromiumPath !== undefined) describe('a page whose answers are on their way', waitingTests)

function waitingTests(): void {
  let world: PortalWorld
  let ids: Ids
  let admin: Visitor

  before(async () => {
    const started = await startFailureWorld()
    world = started.world
    ids = { ...started.known, ...(await makeCall(world)) }
    admin = await asAdministrator(world, '/', { reducedMotion: 'reduce' })
    // "3 minutes ago" stays so.
    await admin.page.clock.setFixedTime(Date.now())
  })

  after(() => world.stop())

  for (const one of addresses)
    test(one, async () => {
      const { page, complaints } = admin
      const address = `${world.gateway.url}/portal#${one.replace(/\{(\w+)\}/g, (_, name: keyof Ids) => ids[name])}`
      const answers: Answers = new Map()
      const first = await load(page, address, { answers, next: (held) => held.shift() })
      // The other way round: of any two answers each is once the one that is missing.
      const second = await load(page, address, { answers, next: (held) => held.pop(), least: first.end })
      for (const { told, missing } of [...first.meanwhile, ...second.meanwhile])
        assert.deepEqual(beyond(told, second.end), [], `told without the answer to ${missing}`)
      assert.deepEqual(complaints, [])
    })
}

/** By path and query. What was answered once is answered so again, or a duration would differ by itself. */
type Answers = Map<string, { readonly status: number; readonly body: Buffer }>

interface Held {
  readonly asked: string
  readonly release: () => Promise<void>
}

interface Order {
  readonly answers: Answers
  /** Takes the answer that is let through next from those that wait. */
  readonly next: (held: Held[]) => Held | undefined
  /** What it tells in the end at least. */
  readonly least?: readonly string[]
}

interface Loaded {
  readonly meanwhile: readonly { readonly told: readonly string[]; readonly missing: string }[]
  readonly end: readonly string[]
}

/** All that a page reads, but who it is that looks: without that there is no page. */
const reads = /^https?:\/\/[^/]+\/(admin|me|auth\/(?!me$)|openapi\.json)/

/** Enough to draw what has come. Whoever looks sooner sees less, which is never wrong. */
const DRAWN_MS = 40

async function load(page: Page, address: string, { answers, next, least = [] }: Order): Promise<Loaded> {
  const held: Held[] = []
  await page.route(reads, (route) => {
    const { pathname, search } = new URL(route.request().url())
    const asked = pathname + search
    held.push({ asked, release: () => answer(route, asked, answers) })
  })
  // A new document, which has kept nothing.
  await page.goto('about:blank')
  await page.goto(address)
  await page.locator('h1, .skeleton').first().waitFor()
  const meanwhile: Loaded['meanwhile'][number][] = []
  let end: readonly string[] = []
  do {
    while (held.length > 0) {
      meanwhile.push({ told: await linesOf(page), missing: held.map(({ asked }) => asked).join(', ') })
      await next(held)?.release()
      await page.waitForTimeout(DRAWN_MS)
    }
    await page.waitForTimeout(DRAWN_MS)
    end = await linesOf(page)
  } while (held.length > 0 || (await page.locator('.skeleton').count()) > 0 || beyond(least, end).length > 0)
  await page.unroute(reads)
  return { meanwhile, end }
}

async function answer(route: Route, asked: string, answers: Answers): Promise<void> {
  const known = answers.get(asked) ?? (await askGateway(route))
  answers.set(asked, known)
  await route.fulfill({ ...known, contentType: 'application/json' })
}

async function askGateway(route: Route): Promise<{ readonly status: number; readonly body: Buffer }> {
  const given = await route.fetch()
  return { status: given.status(), body: await given.body() }
}

/** What stands for a name until it is known is no claim: an id, or that something is looked for. */
const noClaim = /^([0-9a-f]{8}…?|Looking .*)$/

/** Each line, and each cell of a table, by itself. The heading of a page is the kind of a thing until its name is known. */
async function linesOf(page: Page): Promise<string[]> {
  // In one look: between two a name may come, and stand in one of them alone.
  const [texts, headings] = (await page.evaluate(`['main, [role=dialog]', 'h1'].map((wanted) =>
    [...document.querySelectorAll(wanted)].map(({ innerText }) => innerText))`)) as readonly [string[], string[]]
  const lines = texts.flatMap((text) => text.split(/[\n\t]/)).map((line) => line.trim())
  return beyond(lines, headings).filter((line) => line !== '' && !noClaim.test(line))
}

/** The lines that stand there more often than there. */
function beyond(lines: readonly string[], there: readonly string[]): string[] {
  const left = [...there]
  return lines.filter((line) => {
    const place = left.indexOf(line)
    if (place !== -1) left.splice(place, 1)
    return place === -1
  })
}

/** A key of the administrator that looks, and a call that was made with it. */
async function makeCall({ gateway }: PortalWorld): Promise<{ readonly key: string; readonly request: string }> {
  const ask = async <T>(method: string, where: string, body?: object): Promise<T> =>
    (await (await asAdmin(gateway, method, where, body)).json()) as T
  const own = await ask<{ user: { id: string } }>('GET', '/auth/me')
  const made = await ask<{ id: string; key: string }>('POST', '/admin/keys', { name: 'own-ci', user_id: own.user.id })
  const headers = {
    authorization: `Bearer ${made.key}`,
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
    'x-claude-code-session-id': 'session-1',
  }
  await fetch(`${gateway.url}/v1/models`, { headers })
  const body = { model: 'claude-opus-5-5', max_tokens: 20, messages: [{ role: 'user', content: 'Hello' }] }
  const called = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.equal(called.status, 200, await called.text())
  for (;;) {
    const { data } = await ask<{ data: { request_id: string }[] }>('GET', '/admin/requests?key=own-ci')
    if (data[0] !== undefined) return { key: made.id, request: data[0].request_id }
    await delay(100)
  }
}

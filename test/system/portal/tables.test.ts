/** Tables of many rows: every row is on one page, each step is one request, and the page stays small. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilTrue } from '../../message-path/path-client.ts'
import { chromiumPath } from '../../sign-in/browser.ts'
import { asAdministrator, type PortalWorld, settled, startPortalWorld, type Visitor, visit } from './journey.ts'
import { fillMany } from './many-rows.ts'

const MANY = 10_000
const PAGE_ROWS = 50
const LARGEST_PAGE = 200
const MOST_ELEMENTS = 2_500

const tables = [
  { path: '/keys', parameters: 'show=all', list: '/admin/keys', search: 'Search by name or prefix', sort: 'Name' },
  { path: '/users', parameters: '', list: '/admin/users', search: 'Search people', sort: 'Person' },
] as const

if (chromiumPath !== undefined) describe(`tables of ${MANY} rows`, tableTests)

function tableTests(): void {
  let world: PortalWorld
  let admin: Visitor

  before(async () => {
    world = await startPortalWorld()
    assert.ok(world.gateway.database !== undefined)
    await fillMany(world.gateway.database, MANY)
    admin = await asAdministrator(world)
  })

  after(() => world.stop())

  for (const table of tables) {
    let lastCursor = ''

    test(`the pages of ${table.list} together have every row once`, async () => {
      const cookie = (await admin.context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
      const ids = new Set<string>()
      let seen = 0
      for (let cursor: string | null = '', limit = LARGEST_PAGE; cursor !== null; ) {
        const query = `limit=${limit}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
        const answer = await fetch(`${world.gateway.url}${table.list}?${query}`, { headers: { cookie } })
        assert.equal(answer.status, 200)
        const page = (await answer.json()) as ListPage
        assert.ok(page.data.length <= limit)
        for (const { id } of page.data) ids.add(id)
        seen += page.data.length
        lastCursor = cursor
        cursor = page.next_cursor
        // The last page of the portal's size is opened below.
        if (seen >= MANY - LARGEST_PAGE) limit = PAGE_ROWS
      }
      assert.ok(seen >= MANY, `${seen} rows in all pages`)
      assert.equal(ids.size, seen)
    })

    test(`${table.path}: open, next, last page, sort and search are one request each, and the page stays small`, async () => {
      const { page } = admin
      await visit(world, admin, '/me/settings')
      let requests: string[] = []
      const note = (request: { url: () => string }): void => {
        const { pathname, search } = new URL(request.url())
        if (pathname === table.list) requests.push(search)
      }
      page.on('request', note)
      const step = async (name: string, condition: string, act: () => Promise<unknown>): Promise<void> => {
        requests = []
        await act()
        await untilTrue(async () => (await page.evaluate(`(() => { ${SEEN}; return ${condition} })()`)) === true)
        await settled(page)
        assert.equal(requests.length, 1, `${name}: ${requests.join(', ')}`)
        const elements = (await page.evaluate('document.querySelectorAll("*").length')) as number
        assert.ok(elements < MOST_ELEMENTS, `${name}: ${elements} elements`)
      }
      const go = (query: string) =>
        page.evaluate(`location.hash = ${JSON.stringify(`#${table.path}?${table.parameters}${query}`)}`)
      await step('open', `rowCount() === ${PAGE_ROWS}`, () => go(''))
      const first = await firstCell(page)
      const isOther = `rowCount() > 0 && firstCell() !== ${JSON.stringify(first)}`
      await step('next', isOther, () => page.getByRole('button', { name: 'Next', exact: true }).click())
      await step('last', `rowCount() > 0 && nextIsOff()`, () => go(`&cursor=${encodeURIComponent(lastCursor)}`))
      await step('sort', `document.querySelector('th[aria-sort=ascending]') !== null && !isBusy()`, () =>
        page.getByRole('button', { name: table.sort, exact: true }).click(),
      )
      await step('search', `rowCount() === 1 && firstCell().includes('person007700')`, () =>
        page.getByRole('searchbox', { name: table.search }).fill('person007700'),
      )
      page.off('request', note)
      assert.deepEqual(admin.complaints, [])
    })
  }
}

interface ListPage {
  readonly data: readonly { readonly id: string }[]
  readonly next_cursor: string | null
}

/** What a person sees of a table, in the page. */
const SEEN = `
  const rowCount = () => document.querySelectorAll('tbody tr').length
  const firstCell = () => document.querySelector('tbody tr:first-child')?.textContent ?? ''
  const nextIsOff = () => [...document.querySelectorAll('button')].some((one) => one.textContent === 'Next' && one.disabled)
  const isBusy = () => document.querySelector('section[aria-busy=true]') !== null`

const firstCell = async (page: Page): Promise<string> =>
  (await page.locator('tbody tr:first-child').textContent()) ?? ''

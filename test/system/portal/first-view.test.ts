/** What the first view of a page takes when nothing of it is kept: how many requests and bytes, and that nothing jumps. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { chromiumPath } from '../../sign-in/browser.ts'
import { firstViewPaths } from './first-view-paths.ts'
import { asAdministrator, newVisitor, type PortalWorld, settled, startPortalWorld } from './journey.ts'

const KIB = 1024
const MOST_REQUESTS = 32
const MOST_BYTES = 320 * KIB
/** This page shows the whole description of the API. */
const MOST_BYTES_OF_API = 800 * KIB
const LAYOUT_SHIFT = 0.02

if (chromiumPath !== undefined) describe('the first view of a page', firstViewTests)

function firstViewTests(): void {
  let world: PortalWorld
  let session: Awaited<ReturnType<Awaited<ReturnType<typeof asAdministrator>>['context']['storageState']>>

  before(async () => {
    world = await startPortalWorld()
    const admin = await asAdministrator(world)
    session = await admin.context.storageState()
    await admin.close()
  })

  after(() => world.stop())

  for (const path of ['/login', ...firstViewPaths]) {
    const mostBytes = path === '/api' ? MOST_BYTES_OF_API : MOST_BYTES
    test(`${path} takes at most ${MOST_REQUESTS} requests and ${mostBytes / KIB} KB, and nothing jumps`, async (context) => {
      const visitor = await newVisitor(world, path === '/login' ? {} : { storageState: session })
      const { page } = visitor
      await page.addInitScript(WATCH_SHIFTS)
      await page.goto(`${world.gateway.url}/portal#${path}`)
      await settled(page)
      await page.waitForLoadState('networkidle')
      const { requests, bytes, layoutShift } = (await page.evaluate(READ_VIEW)) as FirstView
      context.diagnostic(`${requests} requests, ${Math.round(bytes / KIB)} KB, shift ${layoutShift}`)
      assert.ok(requests <= MOST_REQUESTS, `${requests} requests`)
      assert.ok(bytes <= mostBytes, `${bytes} bytes`)
      assert.ok(layoutShift <= LAYOUT_SHIFT, `${layoutShift}`)
      assert.deepEqual(visitor.complaints, [])
      await visitor.close()
    })
  }
}

interface FirstView {
  readonly requests: number
  readonly bytes: number
  readonly layoutShift: number
}

/** Before the page, so that no shift is missed. */
const WATCH_SHIFTS = `
  window.layoutShift = 0
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.layoutShift += shift.value
  }).observe({ type: 'layout-shift', buffered: true })`

const READ_VIEW = `(() => {
  const loaded = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
  return {
    requests: loaded.length,
    bytes: loaded.reduce((sum, { transferSize }) => sum + transferSize, 0),
    layoutShift: window.layoutShift,
  }
})()`

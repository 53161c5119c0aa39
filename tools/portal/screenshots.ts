/** `npm run screenshots`: a picture of every page of the portal in both themes, with the demo's data, into docs/images. */
import { type ChildProcess, spawn } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '../../test/sign-in/browser.ts'
import { ssoAdmin } from '../demo/sample/organization.ts'
import { buildPortal } from './build.ts'

const { values } = parseArgs({
  options: { url: { type: 'string' }, out: { type: 'string', default: 'docs/images' }, only: { type: 'string' } },
})

interface Shot {
  readonly name: string
  readonly path: string
  readonly access: string
}

/** Where the first record comes from, for pages about one thing. */
const lists: Readonly<Record<string, readonly [list: string, field: string]>> = {
  '/endpoints/$id': ['/admin/endpoints', 'id'],
  '/users/$id': ['/admin/users', 'id'],
  '/teams/$id': ['/admin/teams', 'id'],
  '/requests/$id': ['/admin/requests', 'request_id'],
  '/sessions/$id': ['/admin/sessions', 'session_id'],
}

async function allShots(): Promise<Shot[]> {
  const shots: Shot[] = []
  for (const file of globSync('portal/src/**/*.page.ts').sort()) {
    const { page } = (await import(path.resolve(file))) as { page: { path: string; access: string } }
    shots.push({ name: path.basename(file, '.page.ts'), path: page.path, access: page.access })
  }
  return values.only === undefined ? shots : shots.filter(({ name }) => name === values.only)
}

async function startDemo(folder: string): Promise<{ url: string; demo: ChildProcess }> {
  const demo = spawn(process.execPath, ['tools/demo.ts', '--port', '8765', '--data-dir', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    demo.stdout?.on('data', (chunk) => {
      said += String(chunk)
      const found = /(http:\/\/127\.0\.0\.1:\d+)\/portal/.exec(said)
      if (found?.[1] !== undefined) resolve(found[1])
    })
    demo.on('exit', (code) => reject(new Error(`the demo ended with ${code}:\n${said}`)))
  })
  return { url, demo }
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/portal`)
  await page.getByRole('link', { name: /^Continue with/ }).click()
  await page.locator(`button[value="${ssoAdmin.subject}"]`).click()
  await page.waitForURL(/\/portal#\//)
}

/** Undefined when there is no record to show. */
async function findAddress(shot: Shot, context: BrowserContext, url: string): Promise<string | undefined> {
  if (!shot.path.includes('$')) return shot.path
  const list = Object.entries(lists).find(([pattern]) => shot.path.replace(/\$\w+/, '$id') === pattern)?.[1]
  if (list === undefined) return undefined
  const answer = await context.request.get(`${url}${list[0]}?limit=1`)
  const { data = [] } = (await answer.json()) as { data?: Record<string, string>[] }
  const id = data[0]?.[list[1]]
  return id === undefined ? undefined : shot.path.replace(/\$\w+/, encodeURIComponent(id))
}

async function shoot(url: string): Promise<void> {
  mkdirSync(values.out, { recursive: true })
  const browser = await launchBrowser()
  try {
    for (const theme of ['light', 'dark'] as const) {
      const options = { viewport: { width: 1280, height: 800 }, colorScheme: theme, reducedMotion: 'reduce' } as const
      const stranger = await browser.newContext(options)
      const person = await browser.newContext(options)
      await signIn(await person.newPage(), url)
      for (const shot of await allShots()) {
        const context = shot.access === 'open' ? stranger : person
        const address = await findAddress(shot, context, url)
        if (address === undefined) console.log(`nothing to show for ${shot.path}`)
        else await capture(context, `${url}/portal#${address}`, path.join(values.out, `${shot.name}-${theme}.png`))
      }
      await stranger.close()
      await person.close()
    }
  } finally {
    await browser.close()
  }
}

async function capture(context: BrowserContext, address: string, file: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(address)
  await page.locator('h1').first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  // Charts measure their place once more after the first paint.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 250)))')
  await page.screenshot({ path: file })
  await page.close()
  console.log(file)
}

await buildPortal()
if (values.url !== undefined) await shoot(values.url)
else {
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-screenshots-'))
  const { url, demo } = await startDemo(folder)
  try {
    await shoot(url)
  } finally {
    demo.removeAllListeners('exit')
    const ended = new Promise((resolve) => demo.once('exit', resolve))
    demo.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}

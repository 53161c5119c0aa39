import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'

const run = promisify(execFile)
let gateway: TestGateway
let key = ''
let home = ''

before(async () => {
  home = mkdtempSync(join(tmpdir(), 'causeway-docs-'))
  gateway = await startGateway({
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
})

after(async () => {
  await gateway.stop()
  rmSync(home, { recursive: true })
})

function listBlocks(page: string): readonly string[] {
  return [...readFileSync(page, 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
}

async function execute(block: string): Promise<string> {
  const env = { PATH: '/usr/bin:/bin', HOME: home }
  // The reader's own gateway stands in the pages under these names, and the key that was made there.
  const text = block
    .replaceAll(/https:\/\/gateway\.example\.com|http:\/\/127\.0\.0\.1:8080/g, gateway.url)
    .replaceAll('sk-proxy-…', key)
  return (await run('sh', ['-eu', '-c', text], { env })).stdout
}

test('every request of the demo page is answered', async () => {
  const [, exports = '', ...blocks] = listBlocks('docs/start/demo.md')
  assert.equal(blocks.length, 3)
  const [message = '', models = '', figures = ''] = await Promise.all(blocks.map((block) => execute(exports + block)))
  assert.equal((JSON.parse(message) as { type: string }).type, 'message')
  assert.ok((JSON.parse(models) as { data: readonly unknown[] }).data.length > 0)
  assert.match(figures, /"status":"ready"|ready/)
  assert.match(figures, /^# HELP gateway_/m)
})

test('the commands of the connect page work as they stand', async () => {
  const [setup = '', remove = '', environment = ''] = listBlocks('docs/start/connect.md')
  // Signing in needs a browser; the same script without it is held to its output elsewhere.
  const said = await execute(setup.replace('| sh', '| sh -s -- --no-login'))
  assert.match(said, /Ready {8}Run: claude/)
  const settings = JSON.parse(readFileSync(join(home, '.claude/settings.json'), 'utf8')) as {
    env: Record<string, string>
  }
  assert.equal(settings.env['ANTHROPIC_BASE_URL'], gateway.url)
  assert.match(await execute(remove), /Removed/)
  assert.equal(
    await execute(
      `${environment}\ncurl -s -o /dev/null -w '%{http_code}' -H "x-api-key: $ANTHROPIC_AUTH_TOKEN" "$ANTHROPIC_BASE_URL/v1/models"`,
    ),
    '200',
  )
})

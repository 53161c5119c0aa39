/** `causeway requests tail`: calls are followed whatever happens to the stream, the clocks and the number of calls. Mostly waits. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type CliRunner, createRunner } from '../../cli/cli-runner.ts'
import { login, startGateway, type TestGateway } from '../../support/gateway.ts'

const MODEL = 'claude-sonnet-5'
let gateway: TestGateway
let cli: CliRunner
let key = ''
const betweens: Server[] = []

before(async () => {
  gateway = await startGateway()
  cli = createRunner({ CAUSEWAY_URL: gateway.url, CAUSEWAY_TOKEN: await login(gateway.url) })
  key = (await cli.json(['keys', 'create', 'followed'])).key
})

after(async () => {
  cli?.close()
  for (const between of betweens) {
    between.closeAllConnections()
    between.close()
  }
  await gateway?.stop()
})

function call(model: string): Promise<Response> {
  return fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 16, messages: [{ role: 'user', content: 'Hi' }] }),
  })
}

/** A proxy before the gateway. */
async function startBetween(pass: (asked: IncomingMessage, answer: ServerResponse) => void): Promise<string> {
  const between = createServer(pass).listen(0, '127.0.0.1')
  await once(between, 'listening')
  betweens.push(between)
  return `http://127.0.0.1:${(between.address() as AddressInfo).port}`
}

function passOn({ method = 'GET', headers, url }: IncomingMessage, answer: ServerResponse, begun = () => {}): void {
  request(`${gateway.url}${url}`, { method, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers)
    response.on('error', () => undefined).pipe(answer)
    begun()
  }).end()
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 120_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('it did not come true in time')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

interface Following {
  /** What was printed until so many lines had come and a feed that is asked again and again had its time to print more. */
  readonly lines: (count: number) => Promise<string[]>
}

function follow(args: readonly string[]): Following {
  const stop = new AbortController()
  let printed = 0
  const onOut = (text: string): void => {
    printed += text.split('\n').length - 1
  }
  const following = cli.run(['requests', 'tail', ...args], { signal: stop.signal, onOut })
  return {
    lines: async (count) => {
      await until(async () => printed >= count)
      await new Promise((resolve) => setTimeout(resolve, 2_500))
      stop.abort()
      return (await following).out.trimEnd().split('\n')
    },
  }
}

test('calls are followed on when the stream of events breaks, as it does when an instance is replaced', async () => {
  let cut = 0
  const url = await startBetween((asked, answer) =>
    passOn(asked, answer, () => {
      if (!asked.url?.startsWith('/admin/events')) return
      cut += 1
      setTimeout(() => answer.destroy(), 100)
    }),
  )
  const following = cli.run(['requests', 'tail', '--json', '--count', '1', '--model', 'claude-later', '--url', url])
  await until(async () => cut === 1)
  await new Promise((resolve) => setTimeout(resolve, 300))
  await call('claude-later')
  const { code, out, err } = await following
  assert.deepEqual([code, err, JSON.parse(out).model], [0, '', 'claude-later'])
})

test('of more calls at once than a page holds, every one is followed, and only once', async () => {
  const CALLS = 230
  const stored = Promise.withResolvers<void>()
  const url = await startBetween(async (asked, answer) => {
    if (asked.url?.startsWith('/admin/requests')) await stored.promise
    passOn(asked, answer)
  })
  const following = follow(['--model', 'claude-burst', '--url', url])
  for (let made = 0; made < CALLS; made += 10) await Promise.all(Array.from({ length: 10 }, () => call('claude-burst')))
  const listed = ['requests', 'list', '--model', 'claude-burst', '--all', '-o', 'id']
  const ids = async () => (await cli.run(listed)).out.trimEnd().split('\n')
  await until(async () => (await ids()).length === CALLS)
  stored.resolve()
  const followed = (await following.lines(CALLS)).map((line) => line.split('\t').at(-1))
  assert.deepEqual(followed, (await ids()).reverse())
})

test('a long call is followed when it ends, however many began and ended meanwhile', async () => {
  await gateway.control.script({ match: { operation: 'InvokeModel' }, times: 1, behaviour: { delayMs: 6_000 } })
  const begun = Promise.withResolvers<void>()
  const url = await startBetween((asked, answer) =>
    passOn(asked, answer, asked.url?.startsWith('/admin/events') ? begun.resolve : undefined),
  )
  const following = follow(['--json', '--url', url])
  await begun.promise
  const long = call(MODEL)
  await new Promise((resolve) => setTimeout(resolve, 100))
  for (let made = 0; made < 420; made += 20) await Promise.all(Array.from({ length: 20 }, () => call('claude-short')))
  assert.equal((await long).status, 200)
  const models = (await following.lines(421)).map((line) => JSON.parse(line).model)
  assert.deepEqual([models.length, models.filter((model) => model === MODEL).length], [421, 1])
})

test('calls are followed from now on by the clock of the gateway, whatever that of this machine says', async () => {
  const [last] = (await cli.json(['requests', 'list', '--limit', '1'])).data
  // The clock of the gateway is told in whole seconds.
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, Date.parse(last.at) + 1_100 - Date.now())))
  for (const aheadMs of [3_600_000, -3_600_000]) {
    const stop = new AbortController()
    const begun = Promise.withResolvers<void>()
    const url = await startBetween((asked, answer) => {
      if (asked.url === '/auth/me') begun.resolve()
      passOn(asked, answer)
    })
    let printed = ''
    const following = cli.run(['requests', 'tail', '--json', '--url', url], {
      aheadMs,
      signal: stop.signal,
      onOut: (text) => {
        printed += text
      },
    })
    // Not before it has asked for the time: a slow machine takes its own to start it.
    await begun.promise
    const name = `claude-clock-${aheadMs}`
    await call(name)
    await until(async () => printed.includes(name))
    // A feed that is asked again and again has its time to print more.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    stop.abort()
    const models = (await following).out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line || '{}').model)
    assert.deepEqual(models, [name], `${aheadMs} ms ahead`)
  }
})

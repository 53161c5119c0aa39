/** Anybody may ask for the outcome of a sign-in, and each time the database is asked: so often from one address, and no more. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { startGateway, type TestGateway } from '../support/gateway.ts'

/** Four hundred people behind one address, every two seconds, for the five seconds that are counted together. */
const POLLS = 1_000
const CONNECTIONS = 10

let gateway: TestGateway
before(async () => {
  gateway = await startGateway({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
})
after(() => gateway.stop())

const device = 'grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code=x'
const renewal = 'grant_type=refresh_token&refresh_token=x'
const cases = [
  { name: 'the poll of a terminal', line: 'GET /auth/cli/poll?session_code=x', body: '', unknown: 404 },
  { name: 'the poll of the client', line: 'POST /oauth/token', body: device, unknown: 400 },
  { name: 'a renewal by the client', line: 'POST /oauth/token', body: renewal, unknown: 401 },
] as const

type Case = (typeof cases)[number]

/** On one connection, so many of them ahead of their answers; gives the answers. */
function askOften({ line, body }: Case, from: string, times: number, ahead = times): Promise<readonly string[]> {
  const type = body === '' ? '' : 'content-type: application/x-www-form-urlencoded\r\n'
  const request = `${line} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\n${type}content-length: ${body.length}\r\n`
  return new Promise((resolve, reject) => {
    let asked = 0
    let text = ''
    const askUpTo = (count: number): void => {
      for (; asked < Math.min(count, times); asked += 1)
        socket.write(`${request}${asked === times - 1 ? 'connection: close\r\n' : ''}\r\n${body}`)
    }
    const socket = connect(gateway.port, '127.0.0.1', () => askUpTo(ahead))
    socket.setEncoding('latin1').on('data', (piece: string) => {
      text += piece
      if (asked < times) askUpTo(text.split('HTTP/1.1 ').length - 1 + ahead)
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text.split('HTTP/1.1 ').slice(1)))
  })
}

const toStatus = (answer: string): number => Number(answer.slice(0, 3))

/** Until one is refused: new five seconds may begin meanwhile, and on a slow machine more than once. */
async function flood(one: Case, from: string): Promise<string> {
  for (let time = 0; time < 10; time += 1) {
    const refused = (await askOften(one, from, POLLS + 1)).find((answer) => toStatus(answer) === 429)
    if (refused !== undefined) return refused
  }
  return assert.fail(`none of ten times ${POLLS + 1} polls was refused`)
}

for (const [index, one] of cases.entries())
  test(`${one.name}: an office gets all its answers, a flood is refused before the database, others are not held back`, async () => {
    const from = `192.0.2.${index}`
    const each = POLLS / CONNECTIONS
    // One after the other on each connection: what an office asks does not come in one moment.
    const all = await Promise.all(Array.from({ length: CONNECTIONS }, () => askOften(one, from, each, 1)))
    assert.deepEqual([...new Set(all.flat().map(toStatus))], [one.unknown])
    assert.equal(all.flat().length, POLLS)
    const refused = await flood(one, from)
    assert.match(refused, /\r\nretry-after: [1-5]\r\n/i)
    assert.match(refused, one.body === '' ? /"code":"login_throttled"/ : /"error":"slow_down"/)
    assert.deepEqual((await askOften(one, '198.51.100.1', 1)).map(toStatus), [one.unknown])
  })

/**
 * Streams whose upstream says nothing for minutes, in real time: each must be pinged on and end as it should.
 * Takes a quarter of an hour, so no suite runs it: `node test/message-path/programs/long-silences.ts [seconds …]`.
 */
import { parseArgs } from 'node:util'
import { ADMIN_PASSWORD, login, startGateway, type TestGateway } from '../../support/gateway.ts'
import { hello, post } from '../path-client.ts'

/** contract: 3.6, and the second by which the shared timer and the machine may be late. */
const MAX_GAP_MS = 11_500
/** Before the first event the head itself waits for a while. */
const MAX_FIRST_GAP_MS = 16_500
const defaultSilences = ['310', '890']

const { positionals } = parseArgs({ allowPositionals: true })
const silencesSeconds = (positionals.length > 0 ? positionals : defaultSilences).map(Number)
if (!silencesSeconds.every((seconds) => seconds > 0)) throw new Error('a silence is a number of seconds')

interface Seen {
  readonly pings: number
  readonly firstGapMs: number
  readonly longestGapMs: number
  readonly lastEvent: string
}

async function readStream(gateway: TestGateway, token: string, marker: string): Promise<Seen> {
  let lastMs = performance.now()
  const body = { ...hello, stream: true, messages: [{ role: 'user', content: marker }] }
  const response = await post(gateway, token, body)
  const gapsMs = [performance.now() - lastMs]
  lastMs = performance.now()
  let text = ''
  if (response.body === null) throw new Error('no body')
  for await (const bytes of response.body) {
    const nowMs = performance.now()
    gapsMs.push(nowMs - lastMs)
    lastMs = nowMs
    text += Buffer.from(bytes).toString('latin1')
  }
  const names = [...text.matchAll(/^event: (\w+)$/gm)].map((match) => match[1])
  return {
    pings: names.filter((name) => name === 'ping').length,
    firstGapMs: gapsMs[0] ?? 0,
    longestGapMs: Math.max(...gapsMs.slice(1)),
    lastEvent: names.at(-1) ?? '',
  }
}

async function survives(gateway: TestGateway, token: string, seconds: number, afterEvents: number): Promise<boolean> {
  const marker = `silence of ${seconds} s after ${afterEvents} events`
  await gateway.control.script({
    match: { bodyContains: marker },
    behaviour: { silence: { afterEvents, ms: seconds * 1000 } },
  })
  const seen = await readStream(gateway, token, marker)
  // The first ping may wait for the head; the last may be overtaken by the next event.
  const expectedPings = Math.floor((seconds - MAX_FIRST_GAP_MS / 1000) / (MAX_GAP_MS / 1000))
  const isGood =
    seen.lastEvent === 'message_stop' &&
    seen.pings >= expectedPings &&
    seen.firstGapMs <= MAX_FIRST_GAP_MS &&
    seen.longestGapMs <= MAX_GAP_MS
  console.log(
    `${isGood ? 'ok  ' : 'FAIL'} ${marker}: ${seen.pings} pings (at least ${expectedPings}), head after ` +
      `${Math.round(seen.firstGapMs)} ms, longest gap ${Math.round(seen.longestGapMs)} ms, last event ${seen.lastEvent}`,
  )
  return isGood
}

const gateway = await startGateway({ database: 'none', env: { ADMIN_PASSWORD } })
const token = await login(gateway.url)
const results = await Promise.all(
  silencesSeconds.flatMap((seconds) => [0, 2].map((events) => survives(gateway, token, seconds, events))),
)
await gateway.stop()
process.exit(results.every(Boolean) ? 0 : 1)

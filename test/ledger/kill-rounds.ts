/** Kills a real gateway process under load, again and again, and compares its books with those of the hosted service. */
import { controlClient } from '../../simulator/control-client.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { createTestDatabase } from '../support/database.ts'
import { addKey, untilReady } from '../support/gateway.ts'
import { spawnGateway } from '../support/gateway-process.ts'
import { makeFolder } from './ledger-parts.ts'

export interface KillReport {
  readonly rounds: number
  /** Hosted calls that were answered with 200. */
  readonly served: number
  /** Answers that a client received to the last byte. */
  readonly completed: number
  readonly rows: number
  /** Rows made from calls that were open when a process died. */
  readonly recovered: number
  /** Hosted calls for which there are neither an exact nor enough recovered rows. */
  readonly lost: readonly string[]
  /** Recovered rows beyond the served calls: begun, and cut off before the hosted service answered. */
  readonly unanswered: number
  readonly doubled: readonly string[]
  /** Completed answers without an exact row of their own. */
  readonly inexact: readonly string[]
}

interface Answer {
  readonly requestId: string
  readonly completed: boolean
}

const REQUESTS_PER_ROUND = 24

/** Every round kills at another moment, from before the first answer to after the last. */
export async function runKillRounds(rounds: number): Promise<KillReport> {
  const simulator = await startSimulator({ settings: { tokenMode: 'fingerprint', answers: 'fixed' } })
  const control = controlClient(simulator.controlUrl)
  await control.setSettings({ pace: { eventsPerSecond: 60, firstEventDelayMs: 5 } })
  const database = await createTestDatabase()
  const { key } = await addKey(database.database)
  const folder = await makeFolder()
  const start = async () => {
    const gateway = spawnGateway({
      DATABASE_URL: database.url,
      SPEND_JOURNAL_DIR: folder.path,
      AWS_ENDPOINT_URL: simulator.url,
      AWS_ACCESS_KEY_ID: simulator.accessKey,
      AWS_SECRET_ACCESS_KEY: simulator.secretKey,
      PRICING_REFRESH_ENABLED: 'false',
      ADMIN_PASSWORD: 'x',
    })
    const url = `http://127.0.0.1:${await gateway.listening()}`
    await untilReady(url)
    return { gateway, url }
  }
  const completed: string[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      const { gateway, url } = await start()
      const calls = Array.from({ length: REQUESTS_PER_ROUND }, async (_, index) => {
        await new Promise((resolve) => setTimeout(resolve, index * 15))
        return call(url, key, index % 3 !== 0)
      })
      await new Promise((resolve) => setTimeout(resolve, (round * 137) % 500))
      gateway.kill('SIGKILL')
      await gateway.exited
      const answers = await Promise.all(calls)
      completed.push(...answers.filter((one) => one.completed).map(({ requestId }) => requestId))
    }
    const { gateway } = await start()
    const report = () => compare(rounds, completed, control, database.database.pool)
    let latest = await report()
    for (let tries = 0; latest.lost.length > 0 && tries < 100; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      latest = await report()
    }
    gateway.kill('SIGTERM')
    await gateway.exited
    return await report()
  } finally {
    await database.drop()
    await simulator.close()
    await folder.remove()
  }
}

async function call(url: string, key: string, stream: boolean): Promise<Answer> {
  let requestId = ''
  try {
    const response = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({
        model: 'claude-sonnet-5',
        max_tokens: 50,
        stream,
        messages: [{ role: 'user', content: 'hi' }],
      }),
    })
    requestId = response.headers.get('request-id') ?? ''
    const text = await response.text()
    return { requestId, completed: response.status === 200 && (!stream || text.includes('event: message_stop')) }
  } catch {
    // The process is gone, as it should be.
    return { requestId, completed: false }
  }
}

interface Row {
  readonly request_id: string
  readonly input_tokens: number
  readonly flags: number
  readonly status: number
}

const ESTIMATED = 1
const PROBE = 8
const FIRST_FINGERPRINT = 1_000_000

async function compare(
  rounds: number,
  completed: readonly string[],
  control: ReturnType<typeof controlClient>,
  pool: { query: (text: string) => Promise<{ rows: unknown[] }> },
): Promise<KillReport> {
  const calls = (await control.ledger()).filter(({ operation }) => operation.startsWith('InvokeModel'))
  const served = calls.filter(({ status }) => status === 200)
  const { rows } = (await pool.query('select request_id, input_tokens, flags, status from spend_log')) as {
    rows: Row[]
  }
  const exact = rows.filter(({ flags, input_tokens }) => (flags & ESTIMATED) === 0 && input_tokens > FIRST_FINGERPRINT)
  const recovered = rows.filter(({ flags }) => (flags & ESTIMATED) !== 0)
  const seen = new Map<number, number>()
  for (const row of exact) seen.set(row.input_tokens, (seen.get(row.input_tokens) ?? 0) + 1)
  const missing = served.filter(({ n }) => !seen.has(FIRST_FINGERPRINT + n))
  const exactIds = new Set(exact.map((row) => `req_${row.request_id.replaceAll('-', '')}`))
  // A recovered row does not say which hosted call it stands for, so they are matched by number.
  const missingCalls = missing.slice(recovered.length)
  return {
    rounds,
    served: served.length,
    completed: completed.length,
    rows: rows.filter(({ flags }) => (flags & PROBE) === 0).length,
    recovered: recovered.length,
    lost: missingCalls.map(({ n, modelId }) => `${n} ${modelId}`),
    unanswered: Math.max(0, recovered.length - missing.length),
    doubled: [...seen].filter(([, count]) => count > 1).map(([tokens]) => String(tokens)),
    inexact: completed.filter((id) => !exactIds.has(id)),
  }
}

if (import.meta.main) {
  const report = await runKillRounds(Number(process.argv[2] ?? 200))
  console.log(JSON.stringify(report, null, 2))
  process.exit(report.lost.length + report.doubled.length + report.inexact.length === 0 ? 0 : 1)
}

/** Takes the receiver of notifications away, kills the gateway again and again meanwhile, and looks what arrives in the end. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { controlClient } from '../../simulator/control-client.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createTestDatabase } from '../support/database.ts'
import { ADMIN_PASSWORD, untilReady } from '../support/gateway.ts'
import { spawnGateway } from '../support/gateway-process.ts'
import { createNews, crossingOf, signIn, until } from './news.ts'

export interface OutageReport {
  readonly outageSeconds: number
  readonly kills: number
  readonly events: number
  /** Tries while the receiver was away. */
  readonly failedTries: number
  /** Deliveries that the receiver accepted, repetitions included. */
  readonly accepted: number
  readonly repeated: number
  /** Events that were never accepted. */
  readonly lost: readonly string[]
  /** Accepted under an id that no event has. */
  readonly invented: readonly string[]
  /** Repetitions whose body was not the one before. */
  readonly changed: readonly string[]
  /** From the return of the receiver to the last event. */
  readonly deliveredAfterSeconds: number
}

const EVENTS_PER_LIFE = 4

export async function runSinkOutage(outageSeconds: number, kills: number): Promise<OutageReport> {
  const simulator = await startSimulator()
  const control = controlClient(simulator.controlUrl)
  const database = await createTestDatabase()
  const journal = await mkdtemp(join(tmpdir(), 'causeway-outage-'))
  const start = async () => {
    const gateway = spawnGateway({
      DATABASE_URL: database.url,
      ADMIN_PASSWORD,
      AWS_ENDPOINT_URL: simulator.url,
      EGRESS_ALLOW: '127.0.0.1',
      PRICING_REFRESH_ENABLED: 'false',
      SPEND_JOURNAL_DIR: journal,
    })
    const url = `http://127.0.0.1:${await gateway.listening()}`
    await untilReady(url, 60_000)
    return { gateway, url }
  }
  const pending = async (): Promise<number> => {
    const query = `select count(*) from notification_outbox where state = 'pending'`
    return (await database.database.pool.query(query)).rows[0].count
  }
  const tell = async (): Promise<void> => {
    const news = createNews(database.database)
    for (let event = 0; event < EVENTS_PER_LIFE; event += 1) news.notify(crossingOf({ subjectId: newId() }))
    await news.flush()
  }
  let running = await start()
  const crash = async (): Promise<void> => {
    running.gateway.kill('SIGKILL')
    await running.gateway.exited
    running = await start()
  }
  try {
    await (await signIn(running.url)).activate({
      destination_type: 'webhook',
      destination: `${simulator.webhookUrl}/hook`,
    })
    await control.reset()
    const downMs = performance.now()
    await control.scriptWebhook({ times: null, status: 503 })
    // Most kills fall into the outage; the last one into the rush after it, when deliveries are under way.
    for (let kill = 0; kill < kills - 1; kill += 1) {
      await tell()
      const dueMs = downMs + ((kill + 1) / kills) * outageSeconds * 1_000
      const tries = (kill + 1) * EVENTS_PER_LIFE
      await until('a first try of each', async () => (await control.webhooks()).length >= tries, 60_000)
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
      await crash()
    }
    await tell()
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, downMs + outageSeconds * 1_000 - performance.now())))
    const failedTries = (await control.webhooks()).length
    await control.reset()
    const backMs = performance.now()
    await tell()
    await until('a first delivery', async () => (await control.webhooks()).length > 0, 60_000)
    await crash()
    await until('every delivery', async () => (await pending()) === 0, 600_000)
    const deliveredAfterSeconds = Math.round((performance.now() - backMs) / 100) / 10
    const accepted = (await control.webhooks()).filter(({ status }) => status === 200)
    const { rows } = await database.database.pool.query('select id from notification_outbox')
    const events = rows.map(({ id }) => String(id))
    const bodies = new Map<string, Set<string>>()
    for (const { headers, body } of accepted) {
      const id = String(headers['x-gateway-event-id'])
      bodies.set(id, (bodies.get(id) ?? new Set()).add(body))
    }
    return {
      outageSeconds,
      kills,
      events: events.length,
      failedTries,
      accepted: accepted.length,
      repeated: accepted.length - bodies.size,
      lost: events.filter((id) => !bodies.has(id)),
      invented: [...bodies.keys()].filter((id) => !events.includes(id)),
      changed: [...bodies].filter(([, texts]) => texts.size > 1).map(([id]) => id),
      deliveredAfterSeconds,
    }
  } finally {
    running.gateway.kill('SIGKILL')
    await running.gateway.exited
    await database.drop()
    await simulator.close()
    await rm(journal, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const report = await runSinkOutage(Number(process.argv[2] ?? 600), Number(process.argv[3] ?? 10))
  console.log(JSON.stringify(report, null, 2))
  process.exit(report.lost.length + report.invented.length + report.changed.length === 0 ? 0 : 1)
}

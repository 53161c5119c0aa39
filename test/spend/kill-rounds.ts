/** Kills a real gateway process under load, again and again, and compares its books with those of the hosted service, call by call. */
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
  /** Served calls without a row of their own. */
  readonly lost: readonly string[]
  /** Calls with more than one row. */
  readonly doubled: readonly string[]
  /** Rows of calls that no client made. */
  readonly invented: readonly string[]
  /** Completed answers whose row is not exact: other tokens than the hosted service counted, or an estimate. */
  readonly inexact: readonly string[]
  /** Recovered rows of calls that the process had begun, and that never reached the hosted service. */
  readonly unanswered: number
}

const CALLS_PER_ROUND = 24
const ESTIMATED = 1
const PROBE = 8
const FIRST_FINGERPRINT = 1_000_000

interface Round {
  readonly startedAtMs: number
  readonly completed: readonly number[]
}

/**
 * Every round kills at another moment, from before the first answer to after the last. Each call of a round has a key of
 * its own: key and time tell which call a row is of, even when the answer never came.
 */
export async function runKillRounds(rounds: number): Promise<KillReport> {
  const simulator = await startSimulator({ settings: { tokenMode: 'fingerprint', answers: 'fixed' } })
  const control = controlClient(simulator.controlUrl)
  await control.setSettings({ pace: { eventsPerSecond: 60, firstEventDelayMs: 5 } })
  const database = await createTestDatabase()
  const keys: { key: string; id: string }[] = []
  for (let index = 0; index < CALLS_PER_ROUND; index += 1) keys.push(await addKey(database.database))
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
    // A machine that others use too may take its time.
    await untilReady(url, 120_000)
    return { gateway, url }
  }
  const done: Round[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      const { gateway, url } = await start()
      const earlier = (await control.ledger()).at(-1)?.n ?? 0
      const startedAtMs = Date.now()
      const calls = keys.map(async ({ key }, index) => {
        await new Promise((resolve) => setTimeout(resolve, index * 15))
        return await call(url, key, index % 3 !== 0, tagOf(round, index))
      })
      await Promise.race([Promise.all(calls), untilBegun(control, earlier, killAfter(round))])
      await new Promise((resolve) => setTimeout(resolve, (round * 7) % 60))
      gateway.kill('SIGKILL')
      await gateway.exited
      const answers = await Promise.all(calls)
      done.push({ startedAtMs, completed: answers.flatMap((isComplete, index) => (isComplete ? [index] : [])) })
    }
    const { gateway } = await start()
    const books = { done, keyIds: keys.map(({ id }) => id), control, pool: database.database.pool }
    let report = await compare(books)
    for (let tries = 0; report.lost.length > 0 && tries < 300; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      report = await compare(books)
    }
    gateway.kill('SIGTERM')
    await gateway.exited
    return await compare(books)
  } finally {
    await database.drop()
    await simulator.close()
    await folder.remove()
  }
}

function tagOf(round: number, index: number): string {
  return `${round}/${index}`
}

/** From the first call to the last, in no order: by what has happened and not by time, so that a busy machine kills in the middle too. */
function killAfter(round: number): number {
  return 1 + ((round * 11 + 7) % CALLS_PER_ROUND)
}

async function untilBegun(control: ReturnType<typeof controlClient>, after: number, count: number): Promise<void> {
  for (;;) {
    const begun = (await control.ledger({ after })).filter(({ userId }) => userId !== null)
    if (begun.length >= count) return
    await new Promise((resolve) => setTimeout(resolve, 3))
  }
}

/** True when the answer came to its last byte. */
async function call(url: string, key: string, stream: boolean, tag: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({
        model: 'claude-sonnet-5',
        max_tokens: 50,
        stream,
        metadata: { user_id: tag },
        messages: [{ role: 'user', content: 'hi' }],
      }),
    })
    const text = await response.text()
    return response.status === 200 && (!stream || text.includes('event: message_stop'))
  } catch {
    // The process is gone, as it should be.
    return false
  }
}

interface Books {
  readonly done: readonly Round[]
  readonly keyIds: readonly string[]
  readonly control: ReturnType<typeof controlClient>
  readonly pool: { readonly query: (text: string) => Promise<{ rows: unknown[] }> }
}

interface Row {
  readonly at: Date
  readonly key_id: string
  readonly input_tokens: number
  readonly flags: number
}

async function compare({ done, keyIds, control, pool }: Books): Promise<KillReport> {
  const calls = (await control.ledger()).filter(({ operation, userId }) => operation.startsWith('Invoke') && userId)
  const served = new Map(calls.filter(({ status }) => status === 200).map((one) => [one.userId ?? '', one.n]))
  const { rows } = (await pool.query(
    `select at, key_id, input_tokens, flags from spend_log where flags & ${PROBE} = 0`,
  )) as { rows: Row[] }
  const byTag = new Map<string, Row[]>()
  for (const row of rows) {
    const round = done.findLastIndex(({ startedAtMs }) => row.at.getTime() >= startedAtMs)
    const tag = tagOf(round, keyIds.indexOf(row.key_id))
    byTag.set(tag, [...(byTag.get(tag) ?? []), row])
  }
  const completed = done.flatMap((round, number) => round.completed.map((index) => tagOf(number, index)))
  const isExact = (tag: string): boolean => {
    const row = byTag.get(tag)?.[0]
    const tokens = FIRST_FINGERPRINT + (served.get(tag) ?? Number.NaN)
    return row !== undefined && (row.flags & ESTIMATED) === 0 && row.input_tokens === tokens
  }
  const recovered = [...byTag].filter(([, [row]]) => row !== undefined && (row.flags & ESTIMATED) !== 0)
  return {
    rounds: done.length,
    served: served.size,
    completed: completed.length,
    rows: rows.length,
    recovered: recovered.length,
    lost: [...served.keys()].filter((tag) => !byTag.has(tag)),
    doubled: [...byTag].filter(([, some]) => some.length > 1).map(([tag]) => tag),
    invented: [...byTag.keys()].filter((tag) => tag.includes('-1')),
    inexact: completed.filter((tag) => !isExact(tag)),
    unanswered: recovered.filter(([tag]) => !served.has(tag)).length,
  }
}

export function faultsOf({ lost, doubled, invented, inexact }: KillReport): readonly string[] {
  return [...lost, ...doubled, ...invented, ...inexact]
}

if (import.meta.main) {
  const report = await runKillRounds(Number(process.argv[2] ?? 200))
  console.log(JSON.stringify(report, null, 2))
  process.exit(faultsOf(report).length === 0 ? 0 : 1)
}

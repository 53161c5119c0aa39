/** Asks every analytics route with several ranges, zones and filters, tries budgets, and times the whole answer. */
import { quantile } from '../machine.ts'

export interface AskOptions {
  readonly port: number
  readonly password: string
  readonly rounds: number
  readonly team: string
  readonly user: string
}

export interface RouteTimes {
  readonly route: string
  readonly question: string
  readonly p50Ms: number
  readonly p95Ms: number
  readonly bytes: number
  readonly all: readonly number[]
}

const routes: readonly (readonly [name: string, address: string])[] = [
  ...['overview', 'spend', 'activity', 'models', 'tools'].map((name) => [name, `org/${name}?`] as const),
  ['people', 'explore?measure=tokens&by=user&'],
  ['course', 'explore?measure=cache_share&by=time&'],
  ['percentile', 'explore?measure=p95&by=model&'],
  ['what-if', 'what-if?'],
  ['long-tier', 'what-if?to_model=claude-haiku-5-5&from_model=claude-opus-5-5&'],
  ['unit-price', 'unit-price?'],
]

/** For everybody who has none of their own: the sums of all people are read. */
const budgets = ['daily', 'weekly', 'monthly'].map((period) => ({ scope: 'default', limit_usd: 40, period }))

export async function askRoutes(options: AskOptions): Promise<readonly RouteTimes[]> {
  const base = `http://127.0.0.1:${options.port}`
  const token = await signIn(base, options.password)
  const questions = [
    'days=30',
    'days=90',
    'days=90&tz=America/New_York',
    'days=90&tz=Asia/Kolkata',
    `days=90&team=${encodeURIComponent(options.team)}`,
    `days=90&user=${encodeURIComponent(options.user)}`,
    'days=90&model=claude-sonnet-5-5',
    'days=90&endpoint=eu-central-1',
  ]
  const times: RouteTimes[] = []
  const time = async (route: string, question: string, url: string, body?: object): Promise<void> => {
    const all: number[] = []
    let bytes = 0
    for (let round = 0; round < options.rounds; round += 1) {
      const startedMs = performance.now()
      bytes = await readAll(url, token, body)
      all.push(performance.now() - startedMs)
    }
    times.push({ route, question, p50Ms: quantile(all, 0.5), p95Ms: quantile(all, 0.95), bytes, all })
  }
  for (const [route, address] of routes)
    for (const question of questions) await time(route, question, `${base}/admin/analytics/${address}${question}`)
  for (const question of ['', `team=${encodeURIComponent(options.team)}`])
    await time('adoption', question, `${base}/admin/analytics/adoption?${question}`)
  for (const budget of budgets) await time('simulate', budget.period, `${base}/admin/budgets/simulate`, budget)
  return times
}

export async function signIn(base: string, password: string): Promise<string> {
  const response = await fetch(`${base}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  return ((await response.json()) as { token: string }).token
}

async function readAll(url: string, token: string, body?: object): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(
    url,
    body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
  )
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  let bytes = 0
  for await (const chunk of response.body ?? []) bytes += chunk.length
  return bytes
}

/** Asks every analytics route with several ranges, zones and filters, and times the whole answer. */
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

const routes = ['overview', 'spend', 'activity', 'models', 'tools']

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
  for (const route of routes)
    for (const question of questions) {
      const all: number[] = []
      let bytes = 0
      for (let round = 0; round < options.rounds; round += 1) {
        const startedMs = performance.now()
        bytes = await readAll(`${base}/admin/analytics/org/${route}?${question}`, token)
        all.push(performance.now() - startedMs)
      }
      times.push({ route, question, p50Ms: quantile(all, 0.5), p95Ms: quantile(all, 0.95), bytes, all })
    }
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

async function readAll(url: string, token: string): Promise<number> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  let bytes = 0
  for await (const chunk of response.body ?? []) bytes += chunk.length
  return bytes
}

/** The gateway as it is deployed: one process, keys and rate limits in the database, every call recorded and logged. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { change } from '../../src/foundation/database/change.ts'
import { openDatabase } from '../../src/foundation/database/database.ts'
import { migrateToLatest } from '../../src/foundation/database/migrate.ts'
import { budgetPresets } from '../../src/foundation/domain/budget.ts'
import { createBudgetStore } from '../../src/modules/budgets/budgets.store.ts'
import { createKeyStore } from '../../src/modules/keys/keys.store.ts'
import { makeVirtualKey } from '../../src/modules/keys/virtual-key.ts'
import { createTeamStore } from '../../src/modules/people/teams.store.ts'
import { createUserStore } from '../../src/modules/people/users.store.ts'
import { messagesForm, requestBody } from '../load/bodies.ts'
import { clientHeaders } from '../load/client-headers.ts'
import { MEASURED_CORE } from '../machine.ts'
import { freePort, start, untilOk } from '../processes.ts'
import type { Launch, Target, Wire } from './target.ts'

const STORED_KEYS = 10_000
/** So many of them make the calls. */
const CALLING_KEYS = 64
/** High enough that no call is refused, low enough to be counted like any other limit. */
const RATE_LIMIT_RPM = 10_000_000
/** The same for the budgets of the callers and of their team: a million dollars. */
const BUDGET_NANO_USD = 1e15

/** Stores the keys, with owners and budgets for those that call, and gives back those that will call. */
export async function storeKeys(databaseUrl: string): Promise<readonly string[]> {
  const database = await openDatabase({ kind: 'url', url: databaseUrl })
  const keys = Array.from({ length: STORED_KEYS }, () => makeVirtualKey())
  const actor = { name: 'bench', sourceAddress: null, requestId: null }
  try {
    await migrateToLatest(database)
    await change(database, { sections: ['keys', 'people', 'budgets'], actor }, async ({ tx }) => {
      const team = await createTeamStore(tx).insert('bench')
      await putBudget(tx, 'team', team.id)
      for (const [index, { hash, prefix }] of keys.entries())
        await createKeyStore(tx).insert({
          name: `key ${index}`,
          hash,
          prefix,
          userId: index < CALLING_KEYS ? await addCaller(tx, index, team.id) : null,
          teamId: null,
          rateLimitRpm: RATE_LIMIT_RPM,
          allowedModels: null,
          expiresAtMs: null,
          createdBy: 'bench',
        })
    })
  } finally {
    await database.close()
  }
  return keys.slice(0, CALLING_KEYS).map(({ key }) => key)
}

type Tx = Parameters<typeof createBudgetStore>[0]

async function addCaller(tx: Tx, index: number, teamId: string): Promise<string> {
  const email = `caller-${index}@example.com`
  const { id } = await createUserStore(tx).insert({ subject: email, email, role: 'member', teamId })
  await putBudget(tx, 'user', id)
  return id
}

async function putBudget(tx: Tx, scope: 'team' | 'user', subjectId: string): Promise<void> {
  await createBudgetStore(tx).put({
    scope,
    subjectId,
    limitNanoUsd: BUDGET_NANO_USD,
    period: 'monthly',
    rules: budgetPresets.standard,
    policy: 'standard',
    memberLimitNanoUsd: null,
  })
}

export interface CausewayParts {
  readonly folder: string
  readonly upstreamPort: number
  readonly databaseUrl: string
  readonly keys: readonly string[]
  /** For profiles: `--cpu-prof` and the like. */
  readonly nodeFlags: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** A program that runs it, with its options. */
  readonly under?: readonly string[]
  /** Where another state of the project is installed. */
  readonly checkout?: string
  readonly readyWithinMs?: number
}

/** The program as it is published and deployed, from these sources or those of another checkout. */
export function buildGateway(checkout = join(import.meta.dirname, '../..')): string {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: checkout, stdio: 'inherit' })
  return join(checkout, 'dist/cli/main.js')
}

export function launchCauseway(parts: CausewayParts): Launch {
  const command = buildGateway(parts.checkout)
  return async () => {
    const port = await freePort()
    const [program, ...args] = [...(parts.under ?? []), process.execPath, ...parts.nodeFlags, command, 'serve'] as const
    const server = start(program ?? process.execPath, args, {
      core: MEASURED_CORE,
      logFile: join(parts.folder, 'causeway.log'),
      env: environment(parts, port),
    })
    await untilOk(port, '/ready', server, parts.readyWithinMs)
    return target(port, server.pid, parts.keys, server.stop)
  }
}

function environment(parts: CausewayParts, port: number): Record<string, string> {
  const upstream = `http://127.0.0.1:${parts.upstreamPort}`
  return {
    PROXY_PORT: String(port),
    TLS_PORT: '0',
    DRAIN_TIMEOUT_SECONDS: '1',
    DATABASE_URL: parts.databaseUrl,
    DATA_DIR: join(parts.folder, 'data'),
    SPEND_JOURNAL_DIR: join(parts.folder, 'journal'),
    PRICING_REFRESH_ENABLED: 'false',
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL: upstream,
    AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    AWS_EC2_METADATA_DISABLED: 'true',
    NODE_ENV: 'production',
    ...parts.env,
  }
}

function target(port: number, pid: number, keys: readonly string[], stop: () => Promise<void>): Target {
  const headers = keys.map((key) => ({ authorization: `Bearer ${key}`, ...clientHeaders }))
  const wire =
    (stream: boolean) =>
    (bodyBytes: number): Wire => ({
      path: '/v1/messages',
      headers,
      body: requestBody(messagesForm(stream), bodyBytes),
    })
  return { name: 'causeway', port, pid, plain: wire(false), stream: wire(true), stop }
}

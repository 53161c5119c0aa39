/** A whole gateway in this process, on real ports, with the simulator behind it and a database of its own. */
import { type ControlClient, controlClient } from '../../simulator/control-client.ts'
import { type Simulator, type SimulatorOptions, startSimulator } from '../../simulator/simulator.ts'
import { type App, startApp } from '../../src/app/app.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { change } from '../../src/foundation/database/change.ts'
import type { Database } from '../../src/foundation/database/database.ts'
import type { RoutingStrategy } from '../../src/foundation/domain/team.ts'
import { createLogging } from '../../src/foundation/platform/logger.ts'
import type { AnswerLimits } from '../../src/message-path/answer/answer-limits.ts'
import { createAipOverrideStore } from '../../src/modules/endpoints/aip-overrides.store.ts'
import type { NewEndpoint } from '../../src/modules/endpoints/endpoints.store.ts'
import { createEndpointStore } from '../../src/modules/endpoints/endpoints.store.ts'
import { createTeamRoutingStore } from '../../src/modules/endpoints/team-routing.store.ts'
import { createKeyStore } from '../../src/modules/keys/keys.store.ts'
import { makeVirtualKey } from '../../src/modules/keys/virtual-key.ts'
import { createTeamStore } from '../../src/modules/people/teams.store.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

export interface GatewayOptions {
  /** Default: a fresh database. `none` starts without one. */
  readonly database?: 'none' | TestDatabase
  readonly simulator?: Simulator
  readonly simulatorSettings?: SimulatorOptions['settings']
  readonly env?: Readonly<Record<string, string>>
  /** Runs on the migrated database before the gateway starts. */
  readonly prepare?: (database: Database) => Promise<void>
  readonly logLevel?: string
  readonly answerLimits?: Partial<AnswerLimits>
  /** How long a search engine may take. */
  readonly searchTimeoutMs?: number
  /** Whether the gateway probes capabilities by calls of its own; default false, so that a test sees only its own calls. */
  readonly probes?: boolean
}

export interface TestGateway {
  readonly url: string
  readonly port: number
  readonly app: App
  readonly simulator: Simulator
  readonly control: ControlClient
  readonly database: Database | undefined
  /** Everything the gateway logged, as JSON lines. */
  readonly logLines: readonly string[]
  readonly stop: () => Promise<void>
}

export const ADMIN_PASSWORD = 'correct horse battery staple'
const actor = { name: 'test', sourceAddress: null, requestId: null }

export async function startGateway(options: GatewayOptions = {}): Promise<TestGateway> {
  const simulator = options.simulator ?? (await startSimulator({ settings: options.simulatorSettings ?? {} }))
  const database = options.database === 'none' ? undefined : (options.database ?? (await createTestDatabase()))
  if (database !== undefined) await options.prepare?.(database.database)
  // The AWS SDK finds credentials by itself, in the environment of the process.
  process.env['AWS_ACCESS_KEY_ID'] = simulator.accessKey
  process.env['AWS_SECRET_ACCESS_KEY'] = simulator.secretKey
  process.env['AWS_ENDPOINT_URL'] = simulator.url
  process.env['AWS_EC2_METADATA_DISABLED'] = 'true'
  const result = readConfig({
    PROXY_PORT: '0',
    TLS_PORT: '0',
    DRAIN_TIMEOUT_SECONDS: '0',
    ADMIN_PASSWORD,
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL: simulator.url,
    EGRESS_ALLOW: '127.0.0.1,localhost',
    SEARCH_EGRESS_ALLOW: '127.0.0.1,localhost',
    ...(database === undefined ? {} : { DATABASE_URL: database.url }),
    ...options.env,
  })
  if (result.kind === 'invalid') throw new Error(result.mistakes.join('\n'))
  const logLines: string[] = []
  const { log, recent } = createLogging({
    level: options.logLevel ?? 'info',
    format: 'json',
    write: (line) => void logLines.push(line),
  })
  const app = await startApp(result.config, {
    log,
    recentLog: recent,
    version: 'test',
    answerLimits: options.answerLimits ?? {},
    probes: options.probes ?? false,
    ...(options.searchTimeoutMs === undefined ? {} : { searchTimeoutMs: options.searchTimeoutMs }),
  })
  const url = `http://127.0.0.1:${app.port}`
  await untilReady(url)
  return {
    url,
    port: app.port,
    app,
    simulator,
    control: controlClient(simulator.controlUrl),
    database: database?.database,
    logLines,
    stop: async () => {
      await app.stop()
      if (options.database === undefined) await database?.drop()
      if (options.simulator === undefined) await simulator.close()
    },
  }
}

export async function untilReady(url: string, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const status = await fetch(`${url}/ready`).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return
    if (performance.now() > deadline) throw new Error(`not ready after ${timeoutMs} ms (last status ${status})`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export async function login(url: string): Promise<string> {
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
  })
  return ((await response.json()) as { token: string }).token
}

interface KeyWishes {
  readonly name?: string
  readonly userId?: string
  readonly teamId?: string
  readonly rateLimitRpm?: number
  readonly allowedModels?: readonly string[]
  readonly expiresAtMs?: number
}

/** Stores a virtual key and gives back its secret. */
export async function addKey(database: Database, wishes: KeyWishes = {}): Promise<{ key: string; id: string }> {
  const made = makeVirtualKey()
  const stored = await change(database, { sections: ['keys'], actor }, ({ tx }) =>
    createKeyStore(tx).insert({
      name: wishes.name ?? 'test key',
      hash: made.hash,
      prefix: made.prefix,
      userId: wishes.userId ?? null,
      teamId: wishes.teamId ?? null,
      rateLimitRpm: wishes.rateLimitRpm ?? null,
      allowedModels: wishes.allowedModels ?? null,
      expiresAtMs: wishes.expiresAtMs ?? null,
      createdBy: 'test',
    }),
  )
  return { key: made.key, id: stored.id }
}

export async function addEndpoint(
  database: Database,
  wishes: Partial<NewEndpoint> & { readonly name: string; readonly region: string },
): Promise<string> {
  const stored = await change(database, { sections: ['endpoints'], actor }, ({ tx }) =>
    createEndpointStore(tx).insert({
      routingPrefix: 'us',
      priority: 1,
      enabled: true,
      roleArn: null,
      externalId: null,
      inferenceProfileArn: null,
      ...wishes,
    }),
  )
  return stored.id
}

/** A team, and the endpoints it may reach: the first has the best priority. */
export async function addTeam(
  database: Database,
  name: string,
  routing: { readonly strategy: RoutingStrategy; readonly endpointIds: readonly string[] },
): Promise<string> {
  return await change(database, { sections: ['people', 'endpoints'], actor }, async ({ tx }) => {
    const { id } = await createTeamStore(tx).insert(name)
    const endpoints = routing.endpointIds.map((endpointId, index) => ({ endpointId, priority: index + 1 }))
    await createTeamRoutingStore(tx).replace({ teamId: id, strategy: routing.strategy, endpoints })
    return id
  })
}

export async function addAipOverride(
  database: Database,
  override: { readonly endpointId: string; readonly modelId: string; readonly aipArn: string },
): Promise<void> {
  await change(database, { sections: ['endpoints'], actor }, ({ tx }) =>
    createAipOverrideStore(tx).put({ ...override, reason: null, setBy: 'test' }),
  )
}

/** The control plane over a real port and a real Postgres. Every answer is checked against what its route declares. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readSnapshot } from '../../src/app/snapshot-sections.ts'
import type { Database } from '../../src/foundation/database/database.ts'
import { problem } from '../../src/foundation/domain/errors.ts'
import { defaultSettings } from '../../src/foundation/domain/settings.ts'
import type { User } from '../../src/foundation/domain/user.ts'
import { errorBodySchema } from '../../src/foundation/http/error-schema.ts'
import { listen } from '../../src/foundation/http/listeners.ts'
import type { Route } from '../../src/foundation/http/route.ts'
import { createServer } from '../../src/foundation/http/server.ts'
import { createSourceAddress } from '../../src/foundation/http/source-address.ts'
import { createChanged } from '../../src/foundation/http/write-change.ts'
import { decideUrl, parseEgressAllow } from '../../src/foundation/platform/egress-guard.ts'
import { createLogging } from '../../src/foundation/platform/logger.ts'
import { createSecretBox } from '../../src/foundation/platform/secret-box.ts'
import { builtInSnapshot } from '../../src/foundation/snapshot/built-in-snapshot.memory.ts'
import { createSnapshotHolder } from '../../src/foundation/snapshot/snapshot-holder.memory.ts'
import { readVersions } from '../../src/foundation/snapshot/snapshot-reader.store.ts'
import { buildQuestion } from '../../src/modules/analytics/analytics-route.service.ts'
import { createZeroSpend } from '../../src/modules/budgets/zero-spend.ts'
import { createKeyStore, type NewKey } from '../../src/modules/keys/keys.store.ts'
import { moveKeys } from '../../src/modules/keys/move-keys.service.ts'
import { makeVirtualKey } from '../../src/modules/keys/virtual-key.ts'
import { createModelPriceStore } from '../../src/modules/models/model-prices.store.ts'
import { peopleChanges } from '../../src/modules/people/module.ts'
import { createTeamStore } from '../../src/modules/people/teams.store.ts'
import { createUserStore, type NewUser } from '../../src/modules/people/users.store.ts'
import { settingAt } from '../../src/modules/settings/settings.store.ts'
import { createAuthenticator } from '../../src/modules/sign-in/authenticate.ts'
import { requireAccess } from '../../src/modules/sign-in/roles.ts'
import { createSessionKey, createSessionTokens } from '../../src/modules/sign-in/session-token.ts'
import { catchUpUsage } from '../../src/modules/spend/usage/usage-rollup.store.ts'
import { createCoverage } from './api-coverage.ts'
import { type ControlPorts, listControlRoutes, type ModulePorts } from './control-routes.ts'
import { createTestDatabase } from './database.ts'
import { extensionSamples } from './extensions.ts'

export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape the harness has just checked.
  readonly body: any
}

export interface ApiRequest {
  readonly as?: string | undefined
  readonly body?: unknown
  /** Sent instead of `body`, as it is. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface ApiApp {
  readonly url: string
  readonly database: Database
  readonly routes: readonly Route[]
  readonly ports: ControlPorts
  readonly call: (method: string, path: string, request?: ApiRequest) => Promise<ApiAnswer>
  readonly assertCovered: (tag: string, statuses: (declared: number) => boolean) => void
  /** A session token. */
  readonly sessionOf: (user: User, ttlHours?: number) => string
  readonly addUser: (values?: Partial<NewUser>) => Promise<User>
  readonly addTeam: (name?: string) => Promise<string>
  readonly addKey: (values?: Partial<NewKey>) => Promise<{ readonly id: string; readonly key: string }>
  readonly reload: () => Promise<void>
  /** Moves the gateway's clock; the database's own stays. */
  readonly advance: (ms: number) => void
  readonly logged: () => string
  /** A session of the administrator that every app has. */
  readonly admin: string
  readonly adminUser: User
  readonly stop: () => Promise<void>
}

export interface ApiAppOptions {
  readonly ports?: Partial<ControlPorts>
  /** `none`: runs without a database. `away`: one is configured and was never reached. */
  readonly database?: 'none' | 'away'
}

export async function startApiApp(options: ApiAppOptions = {}): Promise<ApiApp> {
  const test = await createTestDatabase()
  const { database } = test
  let offsetMs = 0
  const clock = { nowMs: () => Date.now() + offsetMs, monotonicMs: () => performance.now() + offsetMs }
  const lines: string[] = []
  const { log, recent } = createLogging({ level: 'debug', format: 'json', write: (line) => lines.push(line) })
  const adminUser = await createUserStore(database.kysely).insert({ subject: 'root', email: null, role: 'admin' })
  const holder = createSnapshotHolder(options.database === undefined ? undefined : bareSnapshot(adminUser), {
    readVersions: () => readVersions(database),
    readSnapshot: (previous) => readSnapshot(database, previous),
  })
  if (options.database === undefined) await holder.reload()
  const sessionKey = createSessionKey(randomBytes(32))
  const sessions = createSessionTokens({ clock, keys: () => [sessionKey] })
  const authenticator = createAuthenticator({
    snapshot: holder.current,
    clock,
    sessions,
    // `jwt-<subject>` stands for a token that was verified; the verifier has its own tests.
    oidc: { verify: (token) => (token.startsWith('jwt-') ? verifiedJwt(token.slice(4)) : undefined) },
    resolveUser: (claims) => {
      const user = holder.current().usersBySubject.get(claims.sub)
      if (user === undefined) throw problem('not_provisioned', { identity: claims.sub })
      return user
    },
  })
  const box = createSecretBox(randomBytes(32))
  const allow = parseEgressAllow('127.0.0.1, localhost')
  const reasonAgainst = (url: string): string | undefined => {
    const decision = decideUrl(url, allow)
    return decision.kind === 'refused' ? decision.reason : undefined
  }
  const ofModules: ModulePorts = {
    database: () => {
      if (options.database === undefined) return database
      throw problem(options.database === 'none' ? 'database_required' : 'database_unavailable')
    },
    changed: createChanged(holder.reload, (error) => log.warn({ err: error }, 'reload failed')),
    snapshot: holder.current,
    clock,
    settingDefaults: defaultSettings,
    modeSetting: settingAt('websearch_mode', defaultSettings),
    ...createZeroSpend(clock),
    encryptSecret: box.seal,
    decryptSecret: box.open,
    search: () => Promise.reject(new Error('this test calls nobody')),
    checkUrl: reasonAgainst,
    checkOwnUrl: reasonAgainst,
    fetchJson: () => Promise.reject(new Error('this test calls nobody')),
    refreshPrices: async () => {
      await createModelPriceStore(ofModules.database().kysely).list()
      return { listed: 0, changed: 0, skipped: [], regions: [] }
    },
    status: {
      ownReport: () => sampleReport,
      loops: () => [],
      pricesRefreshedAtMs: () => null,
      recentLog: recent,
      findCondition: () => ({
        status: 'unknown',
        reason: null,
        checkedAtMs: null,
        availableModels: undefined,
        stats: {
          requests: 0,
          errors: 0,
          throttles: 0,
          failovers: 0,
          latencyP50Ms: null,
          latencyP95Ms: null,
          firstTokenP50Ms: null,
        },
      }),
      askDatabase: async () => ({ kind: 'none' }),
    },
    people: peopleChanges,
    readQuestion: (query, onlyTeamId) => buildQuestion(ofModules, query, onlyTeamId),
    moveKeys,
    catchUpUsage: ({ kysely }) => catchUpUsage(kysely),
    findKnownUrl: () => undefined,
    notifications: { fallback: null, send: () => Promise.reject(new Error('this test calls nobody')) },
    live: { watch: () => () => {}, mayStillWatch: () => Promise.resolve(true) },
  }
  // Which extensions there are is only known here: the types cannot say that each brings what it asks for.
  const ports: ControlPorts = Object.assign(
    ofModules,
    ...extensionSamples.map((samples) => samples.ports),
    options.ports,
  )
  const routes = listControlRoutes(ports)
  const server = await createServer({
    routes,
    log,
    authenticate: authenticator.authenticate,
    requireAccess,
    sourceAddress: createSourceAddress([]),
  })
  const listeners = await listen({ host: '127.0.0.1', port: 0, tls: null, handler: server.routing, log })
  const coverage = createCoverage(routes)
  const sessionOf = (user: User, ttlHours = 24): string => sessions.issue(user, 'password', ttlHours).token

  return {
    url: `http://127.0.0.1:${listeners.port}`,
    database,
    routes,
    ports,
    assertCovered: coverage.assertCovered,
    sessionOf,
    adminUser,
    admin: sessionOf(adminUser),
    logged: () => lines.join(''),
    reload: holder.reload,
    advance: (ms) => {
      offsetMs += ms
    },
    call: async (method, path, request = {}) => {
      const answer = await send(`http://127.0.0.1:${listeners.port}${path}`, method, request)
      coverage.record(method, path, answer)
      return answer
    },
    addUser: async (values = {}) => {
      const subject = `user-${randomBytes(4).toString('hex')}@example.com`
      const user = await createUserStore(database.kysely).insert({ subject, email: null, role: 'member', ...values })
      await reloadAfterDirectWrite(database, holder.reload)
      return user
    },
    addTeam: async (name = `team ${randomBytes(4).toString('hex')}`) => {
      const team = await createTeamStore(database.kysely).insert(name)
      await reloadAfterDirectWrite(database, holder.reload)
      return team.id
    },
    addKey: async (values = {}) => {
      const made = makeVirtualKey()
      const record = await createKeyStore(database.kysely).insert({
        name: 'key',
        userId: null,
        teamId: null,
        rateLimitRpm: null,
        allowedModels: null,
        expiresAtMs: null,
        createdBy: 'test',
        hash: made.hash,
        prefix: made.prefix,
        ...values,
      })
      await reloadAfterDirectWrite(database, holder.reload)
      return { id: record.id, key: made.key }
    },
    stop: async () => {
      listeners.stopAccepting()
      listeners.closeAll()
      await test.drop()
    },
  }
}

async function send(url: string, method: string, request: ApiRequest): Promise<ApiAnswer> {
  const body = request.text ?? (request.body === undefined ? undefined : JSON.stringify(request.body))
  const response = await fetch(url, {
    method,
    headers: {
      ...(request.as === undefined ? {} : { authorization: `Bearer ${request.as}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(body === undefined ? {} : { body }),
  })
  const text = await readBody(response)
  const answer = {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : isJson(response) ? JSON.parse(text) : text,
  }
  if (answer.status >= 400) {
    assert.deepEqual(errorBodySchema.parse(answer.body), answer.body)
    assert.equal(answer.body.request_id, response.headers.get('request-id'))
    assertNamesMistake(answer.body.error)
  }
  return answer
}

const validationCodes: readonly string[] = ['invalid_body', 'invalid_parameter', 'invalid_id']

/** Programs read what is wrong from `details`, not from the words. */
function assertNamesMistake({ code, message, details }: ApiAnswer['body']): void {
  if (!validationCodes.includes(code)) return
  assert.ok(details?.length > 0, `no details: ${message}`)
  assert.ok(message.includes(details[0].path), `${message} does not name ${details[0].path}`)
}

/** A stream of events has no end; its beginning shows that the caller was let in. */
async function readBody(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return await response.text()
  const reader = response.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return new TextDecoder().decode(value)
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('application/json') ?? true
}

/** Writes that go around `change` bump no version, so the sections are bumped here. */
async function reloadAfterDirectWrite(database: Database, reload: () => Promise<void>): Promise<void> {
  await database.pool.query(
    `insert into cache_versions (section, version) values ('keys', 1), ('people', 1)
     on conflict (section) do update set version = cache_versions.version + 1`,
  )
  await reload()
}

const sampleReport = {
  instanceId: '0190a000-0000-7000-8000-00000000000b',
  version: 'test',
  startedAt: '2026-01-01T00:00:00.000Z',
  cacheVersion: 1,
  inFlight: 0,
  ledger: {
    waiting: 0,
    lagSeconds: 0,
    journalBytes: 0,
    journalFailing: false,
    quarantined: 0,
    lastFlushAt: null,
  },
  endpoints: {},
}

function bareSnapshot(admin: User) {
  return builtInSnapshot({
    region: 'us-east-1',
    mappings: [],
    prices: [],
    idps: [],
    users: [admin],
    createdAt: '2026-01-01T00:00:00.000Z',
  })
}

function verifiedJwt(subject: string) {
  const idp = {
    id: '0190a000-0000-7000-8000-00000000000a',
    name: 'Example',
    issuerUrl: 'https://idp.example',
    audience: 'gateway',
    clientId: null,
    jwksUrl: null,
    userClaim: 'auto',
    autoProvision: false,
    defaultRole: 'member',
    allowedDomains: null,
    enabled: true,
    logout: 'local',
  } as const
  return { idp, claims: { iss: idp.issuerUrl, sub: subject }, nonce: undefined }
}

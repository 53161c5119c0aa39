/** The composition root: makes each thing once, joins the planes, and runs the life of the process. */
import { setTimeout as sleep } from 'node:timers/promises'
import { securityFacts } from '../extensions/security-review/security-facts.service.ts'
import { composeDigest } from '../extensions/weekly-digest/compose-digest.service.ts'
import { createDatabaseLink, databaseOptionsOf } from '../foundation/database/database-link.ts'
import { DatabaseSetupError } from '../foundation/database/store-errors.ts'
import type { OnBudgetEvent } from '../foundation/domain/budget-event.ts'
import type { IdentityProvider } from '../foundation/domain/idp.ts'
import { seedMappings, seedPrices } from '../foundation/domain/model-seed.ts'
import { defaultSettings } from '../foundation/domain/settings.ts'
import type { Snapshot } from '../foundation/domain/snapshot.ts'
import type { User } from '../foundation/domain/user.ts'
import { createDrain } from '../foundation/http/drain.ts'
import { createServer } from '../foundation/http/server.ts'
import { createSourceAddress } from '../foundation/http/source-address.ts'
import { createChanged } from '../foundation/http/write-change.ts'
import { type Clock, systemClock } from '../foundation/platform/clock.ts'
import { parseEgressAllow } from '../foundation/platform/egress-guard.ts'
import { newId } from '../foundation/platform/ids.ts'
import type { Logger } from '../foundation/platform/logger.ts'
import { type RunningLoops, startLoops } from '../foundation/platform/loops.ts'
import { createOutgoingHttp } from '../foundation/platform/outgoing-http.ts'
import type { RecentLines } from '../foundation/platform/recent-lines.ts'
import { builtInSnapshot } from '../foundation/snapshot/built-in-snapshot.memory.ts'
import { createSnapshotHolder } from '../foundation/snapshot/snapshot-holder.memory.ts'
import { createVersionReader } from '../foundation/snapshot/snapshot-reader.store.ts'
import type { AnswerLimits } from '../message-path/answer/answer-limits.ts'
import { createBudgetLimits } from '../modules/budgets/budget-limits.service.ts'
import { createZeroSpend } from '../modules/budgets/zero-spend.ts'
import modelSeed from '../modules/endpoints/model-seed.json' with { type: 'json' }
import { createKeepMapping } from '../modules/models/keep-mapping.service.ts'
import { createPricing, priceListBase } from '../modules/models/pricing.service.ts'
import { createNotificationWork } from '../modules/notifications/notification-work.service.ts'
import { createLive } from '../modules/operations/live.service.ts'
import { createSightings } from '../modules/operations/sightings.service.ts'
import { createInstanceStatus } from '../modules/operations/status.service.ts'
import { createTelemetry } from '../modules/operations/telemetry.service.ts'
import { idpOfEnvironment } from '../modules/sign-in/bootstrap-idp.start.ts'
import { passwordHostCheck, signInPorts } from '../modules/sign-in/browser-sign-in.service.ts'
import { createFailedSignIns } from '../modules/sign-in/failed-sign-ins.service.ts'
import { createIdentity } from '../modules/sign-in/identity.service.ts'
import { createPassingPeople, createPeopleWriter } from '../modules/sign-in/people-writer.service.ts'
import { requireAccess } from '../modules/sign-in/roles.ts'
import { createSignInWrites } from '../modules/sign-in/sign-in-writes.service.ts'
import { createHousekeeping } from '../modules/spend/housekeeping.service.ts'
import { createSpendWriter } from '../modules/spend/spend-writer.service.ts'
import { createSearch, SEARCH_TIMEOUT_MS } from '../modules/web-search/run-search.ts'
import { createSearchTerms } from '../modules/web-search/search-terms.service.ts'
import { allLoops, forgetOld } from './all-loops.ts'
import { allRoutes } from './all-routes.ts'
import type { Config } from './config/config.ts'
import { createControl } from './control.ts'
import { createEnding, type OpenPorts, openPorts } from './lifecycle.ts'
import { wireMessagePath } from './message-path.ts'
import { prepareForCalls } from './prepare-for-calls.ts'
import { scrapeOfAll } from './process/worker-scrape.ts'
import { readSnapshot } from './snapshot-sections.ts'
import { runStartupSteps } from './steps.ts'

export interface App {
  readonly port: number
  readonly tlsPort: number | null
  /** Drains, then resolves. */
  readonly stop: () => Promise<void>
  readonly hurry: () => void
}

export interface AppParts {
  readonly log: Logger
  readonly recentLog: RecentLines['read']
  readonly version: string
  /** Called once, when it takes calls. */
  readonly onReady?: () => void
  /** Others serve on the same port: it is opened when this one is ready too, or when nobody else is left. */
  readonly othersGone?: Promise<void> | undefined
  /** Other than the usual ones, for tests. */
  readonly answerLimits?: Partial<AnswerLimits>
  /** How long a search engine may take, for tests. */
  readonly searchTimeoutMs?: number
  /** False for tests that count or script hosted calls: the gateway then makes none of its own. */
  readonly probes?: boolean
  /** Other than the system's, for tests of budgets. */
  readonly budgetClock?: Clock
  readonly onBudgetEvent?: OnBudgetEvent
}

const END_WAIT_MS = 1_500

/** A database that hangs must not hold up the end: what is left undone here, other instances or the next start do. */
function briefly(work: Promise<unknown> | undefined): Promise<unknown> {
  return Promise.race([work, sleep(END_WAIT_MS, undefined, { ref: false })])
}

export async function startApp(config: Config, parts: AppParts): Promise<App> {
  const { log, version, answerLimits, probes = true } = parts
  const startedAt = new Date().toISOString()
  const instanceId = newId()
  const seed = { mappings: seedMappings(modelSeed, startedAt), prices: seedPrices(modelSeed, startedAt) }
  const admin = builtInAdmin(config, startedAt)
  const idps = environmentIdps(config)
  const endedSessions = new Set<string>()
  const builtIn = builtInSnapshot({
    ...seed,
    idps,
    users: [admin],
    endedSessions,
    region: config.region,
    createdAt: startedAt,
  })
  const link = createDatabaseLink(databaseOptionsOf(config.database, config.region, log), log, (database) =>
    runStartupSteps({ database, config, log, seed }),
  )
  const settingDefaults = { ...defaultSettings, capability_probe_aip: config.capabilityProbeAip }
  const stored = {
    readVersions: createVersionReader(link.require),
    readSnapshot: (previous: Snapshot | undefined) => readSnapshot(link.require(), previous, settingDefaults),
  }
  const holder = link.isConfigured ? createSnapshotHolder(undefined, stored) : createSnapshotHolder(builtIn, undefined)
  const snapshot = (): Snapshot => (holder.isLoaded() ? holder.current() : builtIn)
  const changed = createChanged(holder.reload, (error) =>
    log.warn({ err: error }, 'the snapshot could not be reloaded after a change'),
  )
  const signInWrites = createSignInWrites({ link, changed, endedSessions, log })
  const sightings = createSightings(link, log)
  const drain = createDrain()
  const whyNotReady = (): string | undefined => {
    if (drain.isDraining()) return 'it is going down'
    return holder.isLoaded() ? undefined : 'it is waiting for the database'
  }
  const { otlpEndpoint, tracesExporter } = config
  const telemetry = await createTelemetry({ version, otlpEndpoint, tracesExporter, log })
  const { instruments, admission, tracer } = telemetry
  const egressAllow = parseEgressAllow(config.egressAllow.join(','))
  const outgoing = createOutgoingHttp({ allow: egressAllow })
  const ownSearchAllow = parseEgressAllow(config.searchEgressAllow.join(','))
  const ownHttp = createOutgoingHttp({ allow: ownSearchAllow })
  const search = createSearch({
    http: outgoing,
    ownHttp,
    timeoutMs: parts.searchTimeoutMs ?? SEARCH_TIMEOUT_MS,
  })
  const budgets = createBudgetLimits({
    instanceId,
    isStoring: link.isConfigured,
    findDatabase: link.find,
    snapshot,
    log,
    clock: parts.budgetClock,
    onEvent: parts.onBudgetEvent ?? ((event) => notifications.notify(event)),
    flushSpend: () => spend.flush(),
  })
  const live = createLive({
    findDatabase: link.find,
    snapshot,
    log,
    conditionOf: (endpointId) => messagePath.endpoints.facts.conditionOf(endpointId),
    authenticate: (headers, doorway) => identity.authenticate(headers, doorway),
  })
  const control = createControl({
    config,
    settingDefaults,
    link,
    snapshot,
    changed,
    outgoing,
    egressAllow,
    ownSearchAllow,
    search,
    spendAnswers: link.isConfigured ? budgets : createZeroSpend(systemClock),
    live: live.ports,
  })
  const notifications = createNotificationWork({
    link,
    snapshot,
    sender: control.sender,
    fallback: control.ports.notifications.fallback,
    findPortalUrl: control.ports.findKnownUrl,
    composeDigest: (nowMs) => composeDigest(control.ports, nowMs),
    log,
    instruments,
  })
  const spend = createSpendWriter({
    journalDirectory: config.spendJournalDir,
    link,
    snapshot,
    log,
    instruments,
    whileStoring: budgets.gate.whileStoring,
    onReadBack: budgets.gate.recall,
    onStored: live.stored,
  })
  const pricing = createPricing({
    region: config.region,
    listBase: priceListBase(config),
    isRefreshEnabled: config.pricingRefreshEnabled,
    refreshIntervalSeconds: config.pricingRefreshInterval,
    seed: modelSeed,
    link,
    outgoing,
    snapshot,
    changed: changed,
    log,
  })
  const identity = createIdentity({
    admin: config,
    publicUrl: config.publicUrl,
    log,
    facts: snapshot,
    isLoaded: holder.isLoaded,
    builtInAdmin: admin,
    people: link.isConfigured ? createPeopleWriter(link.require, changed) : createPassingPeople(config.adminUsers),
    outgoing,
    reload: changed,
    onRefused: signInWrites.recordRefusal,
    onSession: sightings.sessionUsed,
  })
  const authenticate = admission.door(identity.authenticate)
  const messagePath = wireMessagePath({
    config,
    log,
    instruments,
    admission,
    tracer,
    drain,
    snapshot,
    whyNotReady: () => (holder.isLoaded() ? undefined : 'it is waiting for the database'),
    authenticate,
    spend,
    keepMapping: createKeepMapping(link, holder.reload, log),
    budgets,
    findDatabase: link.find,
    onRateLimited: notifications.onRateLimited,
    onCall: sightings.callMade,
    onModelsListed: sightings.modelsListed,
    webSearch: createSearchTerms({ ...control.ports, link, secretBox: control.secretBox, log }),
    findPortalUrl: control.ports.findKnownUrl,
    answerLimits,
  })
  let running: RunningLoops | undefined
  let listening: OpenPorts | undefined
  const status = createInstanceStatus({
    instanceId,
    version,
    startedAt,
    link,
    snapshot,
    spendStatus: spend.status,
    inFlight: messagePath.inFlight,
    loopStates: () => running?.status() ?? [],
    conditionOf: messagePath.endpoints.facts.conditionOf,
    pricesRefreshedAtMs: pricing.refreshedAtMs,
    recentLog: parts.recentLog,
    endpointStats: messagePath.endpointStats,
  })
  const signIn = signInPorts({ config, log, identity, link, control, snapshot, changed, writes: signInWrites })
  const app = await createServer({
    routes: allRoutes({
      version,
      whyNotReady,
      scrape: scrapeOfAll(telemetry.scrape),
      metricsToken: config.metricsToken,
      messageRoutes: messagePath.routes,
      signIn,
      control: {
        ...control.ports,
        ...messagePath.endpoints.facts,
        refreshPrices: pricing.refresh,
        status: status.facts,
        security: securityFacts({
          config,
          version,
          link,
          listeners: () => listening,
          credentialKindOf: messagePath.credentialKindOf,
        }),
      },
      login: {
        ...identity,
        passwordLogin: {
          ...identity.passwordLogin,
          requirePassword: admission.door(identity.passwordLogin.requirePassword),
        },
        requireHost: passwordHostCheck(config),
        ttlHours: () => snapshot().settings.session_token_ttl_hours,
        clock: systemClock,
        providers: signIn.providers,
        providerSignOut: signIn.providerSignOut,
        revokeSession: signInWrites.revokeSession,
        asStored: signInWrites.asStored,
        recordSignIn: signInWrites.recordSignIn,
        recordFailedSignIn: createFailedSignIns({ findDatabase: link.find, clock: systemClock, log }),
      },
    }),
    log,
    authenticate,
    requireAccess: admission.door(requireAccess),
    sourceAddress: createSourceAddress(config.trustedProxies),
  })
  const open = async (): Promise<OpenPorts> => {
    const ports = await openPorts(config, app.routing, log)
    listening = ports
    log.info({ host: config.proxyHost, port: ports.port, tls_port: ports.tlsPort, version }, 'listening')
    return ports
  }
  const openedFirst = parts.othersGone === undefined ? await open() : undefined

  const starting = new AbortController()
  const loops = allLoops({
    pollSnapshot: holder.poll,
    flushSpend: spend.flush,
    syncBudgets: budgets.sync,
    forgetOldShares: budgets.forgetOld,
    checkHealth: messagePath.endpoints.checkHealth,
    probeCapabilities: probes ? messagePath.endpoints.probeCapabilities : async () => {},
    forgetOldProbes: messagePath.endpoints.forgetOldProbes,
    ...createHousekeeping({ findDatabase: link.find, snapshot, instruments, log, forgetOld }),
    findDatabase: link.find,
    refreshPrices: pricing.loop && { ...pricing.loop, ...(probes ? { firstMs: 0 } : {}) },
    tellExpiringKeys: notifications.tellExpiringKeys,
    sendWeeklyDigest: notifications.sendWeeklyDigest,
    deliverEvents: notifications.deliver,
    forgetEvents: notifications.forgetOld,
    lookAtOutbox: notifications.lookAtOutbox,
    reportInstance: status.report,
    noteSightings: sightings.flush,
  })
  const takeCalls = async (): Promise<void> => {
    if (starting.signal.aborted) return
    running = startLoops(loops, log)
    parts.onReady?.()
    // failure-modes: status without the database. The loop reports again.
    status.report().catch(() => undefined)
    await messagePath.endpoints.checkHealth(starting.signal)
    log.info('ready')
  }
  const fail = (error: unknown): never => {
    // A mistake in the set-up is no mistake in the program: where it was thrown helps no operator.
    if (error instanceof DatabaseSetupError) log.fatal(error.message)
    else log.fatal({ err: error }, error instanceof Error ? error.message : 'the start failed')
    process.exit(1)
  }
  const { endpoints } = messagePath
  const preparation = { link, identity, control, spend, endpoints, budgets, holder, changed, log }
  const prepared = prepareForCalls(preparation, starting.signal).catch(fail)
  // A call that came before would be refused, although others could have answered it.
  if (openedFirst === undefined) await Promise.race([prepared, parts.othersGone])
  const listeners = openedFirst ?? (await open())
  telemetry.show({
    snapshot,
    loops: () => running?.status() ?? [],
    findDatabase: link.find,
    priceListAgeMs: pricing.listAgeMs,
    certificateExpiresAtMs: listeners.certificateExpiresAtMs,
  })
  prepared.then(takeCalls).catch(fail)

  const ending = createEnding(listeners, drain, config.drainTimeoutSeconds, log)
  return {
    port: listeners.port,
    tlsPort: listeners.tlsPort,
    hurry: ending.hurry,
    stop: async () => {
      starting.abort()
      live.stop()
      await ending.finish()
      await briefly(running?.stop())
      await spend.close()
      await briefly(Promise.all([budgets.close(), status.withdraw()]))
      messagePath.close()
      await briefly(notifications.stop())
      await Promise.all([telemetry.shutdown(), outgoing.close(), ownHttp.close(), link.close()])
      log.info('stopped')
    },
  }
}

/** Fixed, so that the logs of several starts name the same people. */
const BUILT_IN_ADMIN_ID = '00000000-0000-7000-8000-000000000002'
const ENVIRONMENT_IDP_ID = '00000000-0000-7000-8000-000000000003'

function builtInAdmin(config: Config, createdAt: string): User {
  return {
    id: BUILT_IN_ADMIN_ID,
    subject: config.adminUsername,
    email: null,
    role: 'admin',
    grants: [],
    teamId: null,
    active: true,
    identity: null,
    bootstrap: true,
    sessionEpoch: 0,
    createdAt,
  }
}

function environmentIdps(config: Config): readonly IdentityProvider[] {
  const idp = idpOfEnvironment(config)
  return idp === undefined ? [] : [{ ...idp, id: ENVIRONMENT_IDP_ID }]
}

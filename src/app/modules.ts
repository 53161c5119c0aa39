/**
 * The modules, built in their order. What a module says to a later one goes through a closure, which nobody calls before all
 * of them are there.
 */
import { type Clock, systemClock } from '../foundation/platform/clock.ts'
import { withOpenCalls } from '../message-path/open-calls.ts'
import { createAnalytics } from '../modules/analytics/module.ts'
import { forgetOldBudgetSpend } from '../modules/budgets/budget-spend.store.ts'
import { createBudgets } from '../modules/budgets/module.ts'
import { createEndpoints } from '../modules/endpoints/module.ts'
import { forgetOldKeyAddresses } from '../modules/keys/key-addresses.store.ts'
import { createKeys } from '../modules/keys/module.ts'
import { createModels } from '../modules/models/module.ts'
import { priceListBase } from '../modules/models/price-list.ts'
import { createNotifications } from '../modules/notifications/module.ts'
import { createOperations } from '../modules/operations/module.ts'
import { createPeople } from '../modules/people/module.ts'
import { createSettings } from '../modules/settings/module.ts'
import { settingAt } from '../modules/settings/settings.store.ts'
import { createSignIn } from '../modules/sign-in/module.ts'
import { createSpend } from '../modules/spend/module.ts'
import { readEndpointMinutes } from '../modules/spend/usage/endpoint-minutes.store.ts'
import { catchUpUsage } from '../modules/spend/usage/usage-rollup.store.ts'
import { createWebSearch } from '../modules/web-search/module.ts'
import type { Foundation } from './core.ts'
import type { HostedService } from './hosted-service.ts'

interface MutableModules {
  notifications: ReturnType<typeof createNotifications>
  people: ReturnType<typeof createPeople>
  keys: ReturnType<typeof createKeys>
  signIn: ReturnType<typeof createSignIn>
  endpoints: ReturnType<typeof createEndpoints>
  models: ReturnType<typeof createModels>
  webSearch: ReturnType<typeof createWebSearch>
  spend: ReturnType<typeof createSpend>
  budgets: ReturnType<typeof createBudgets>
  settings: ReturnType<typeof createSettings>
  analytics: ReturnType<typeof createAnalytics>
  operations: ReturnType<typeof createOperations>
}

/** In the order in which they were built. */
export type Modules = Readonly<MutableModules>

export function createModules(core: Foundation, hosted: HostedService, inFlight: () => number): Modules {
  const modules = {} as MutableModules
  const budgetClock = core.parts.budgetClock ?? systemClock
  addCallers(modules, core, budgetClock)
  addServing(modules, core, hosted)
  addSpend(modules, core, budgetClock)
  addReporting(modules, core, inFlight)
  return modules
}

/** Who may call, and whom to tell. */
function addCallers(modules: MutableModules, core: Foundation, budgetClock: Clock): void {
  const { config } = core
  modules.notifications = createNotifications(core, config.budgetNotificationUrl)
  modules.people = createPeople(core, {
    adminUsername: config.adminUsername,
    adminUsers: config.adminUsers,
    moveKeys: (tx, move) => modules.keys.moveKeys(tx, move),
    catchUpUsage: ({ kysely }) => catchUpUsage(kysely),
  })
  modules.keys = createKeys(core, {
    rateClock: budgetClock,
    spendOfKeys: (keyIds) => modules.budgets.spendOfKeys(keyIds),
  })
  modules.signIn = createSignIn(core, {
    config,
    builtInAdmin: core.builtInAdmin,
    endedSessions: core.endedSessions,
    onSession: (session) => modules.operations.sightings.sessionUsed(session),
    counted: core.telemetry.admission.door,
  })
}

/** What a request is served with. */
function addServing(modules: MutableModules, core: Foundation, { service, host }: HostedService): void {
  const { config, parts } = core
  const { probes = true } = parts
  modules.endpoints = createEndpoints(core, {
    service,
    host: withOpenCalls(host, {
      open: (call, begin, readProgress) => modules.spend.ledger.open(call, begin, readProgress),
      close: (requestId, round) => modules.spend.ledger.close(requestId, round),
    }),
    region: config.region,
    record: (record) => modules.spend.ledger.append(record),
    readEndpointMinutes,
    probes,
  })
  modules.models = createModels(core, {
    region: config.region,
    listBase: priceListBase(config),
    isRefreshEnabled: config.pricingRefreshEnabled,
    refreshIntervalSeconds: config.pricingRefreshInterval,
    endpoints: modules.endpoints.memory,
    reload: core.holder.reload,
    refreshesAtStart: probes,
  })
  modules.webSearch = createWebSearch(core, {
    modeSetting: settingAt('websearch_mode', core.settingDefaults),
    checkOwnUrl: core.checkOwnUrl,
    ownHttp: core.ownHttp,
    timeoutMs: parts.searchTimeoutMs,
  })
}

/** What a request costs, and what may still be spent. */
function addSpend(modules: MutableModules, core: Foundation, budgetClock: Clock): void {
  modules.spend = createSpend(core, {
    journalDirectory: core.config.spendJournalDir,
    noteKeyUse: modules.keys.noteUse,
    whileStoring: (records, store) => modules.budgets.gate.whileStoring(records, store),
    onReadBack: (record) => modules.budgets.gate.recall(record),
    onStored: (records) => modules.operations.onStored(records),
    forgetOld: [forgetOldBudgetSpend, forgetOldKeyAddresses],
  })
  modules.budgets = createBudgets(core, {
    clock: budgetClock,
    onEvent: core.parts.onBudgetEvent ?? modules.notifications.notify,
    flushSpend: modules.spend.flush,
    onAway: modules.keys.onAway,
    rateLimits: modules.keys.rateLimits,
  })
}

/** What administrators change and see. */
function addReporting(modules: MutableModules, core: Foundation, inFlight: () => number): void {
  const { endpoints, models, spend, signIn } = modules
  modules.settings = createSettings(core)
  modules.analytics = createAnalytics(core, modules.budgets)
  modules.operations = createOperations(core, {
    spendStatus: spend.status,
    inFlight,
    loopStates: () => core.running.loops(),
    pricesRefreshedAtMs: models.pricing.refreshedAtMs,
    recentLog: core.parts.recentLog,
    endpointStats: endpoints.memory.stats,
    findCondition: endpoints.findCondition,
    authenticate: signIn.authenticate,
  })
}

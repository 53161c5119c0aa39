/** What all modules share: the way to the database, the snapshot, secrets, outgoing requests, metrics and the log. */

import { buildDatabaseOptions, createDatabaseLink, type OpeningLink } from '../foundation/database/database-link.ts'
import type { BudgetEvent } from '../foundation/domain/budget-event.ts'
import { problem } from '../foundation/domain/errors.ts'
import { defaultSettings } from '../foundation/domain/settings.ts'
import type { Snapshot } from '../foundation/domain/snapshot.ts'
import type { User } from '../foundation/domain/user.ts'
import { createDrain, type Drain } from '../foundation/http/drain.ts'
import type { Core } from '../foundation/http/module.ts'
import { createPortalFiles } from '../foundation/http/portal-files.ts'
import { createChanged } from '../foundation/http/write-change.ts'
import { type Clock, systemClock } from '../foundation/platform/clock.ts'
import { decideUrl, type EgressAllow, parseEgressAllow } from '../foundation/platform/egress-guard.ts'
import { newId } from '../foundation/platform/ids.ts'
import type { Logger } from '../foundation/platform/logger.ts'
import type { LoopStatus } from '../foundation/platform/loops.ts'
import { createOutgoingHttp, type OutgoingHttp } from '../foundation/platform/outgoing-http.ts'
import type { RecentLines } from '../foundation/platform/recent-lines.ts'
import type { Secret } from '../foundation/platform/secret.ts'
import { createSecretBox, type SecretBox } from '../foundation/platform/secret-box.ts'
import { builtInSnapshot } from '../foundation/snapshot/built-in-snapshot.memory.ts'
import { createSnapshotHolder, type SnapshotHolder } from '../foundation/snapshot/snapshot-holder.memory.ts'
import { createVersionReader } from '../foundation/snapshot/snapshot-reader.store.ts'
import type { AnswerLimits } from '../message-path/answer/answer-limits.ts'
import { builtInModels } from '../modules/models/module.ts'
import { findKnownUrl } from '../modules/sign-in/base-url.ts'
import { builtInAdmin, builtInIdps } from '../modules/sign-in/built-in-people.ts'
import type { Config } from './config/config.ts'
import type { OpenPorts } from './listening.ts'
import { readSnapshot } from './snapshot-sections.ts'
import { createTelemetry, type Telemetry } from './telemetry.ts'

export interface AppParts {
  readonly log: Logger
  readonly recentLog: RecentLines['read']
  readonly version: string
  /** Called once, when it takes requests. */
  readonly onReady?: () => void
  /** Others serve on the same port: it is opened when this one is ready too, or when nobody else is left. */
  readonly othersGone?: Promise<void> | undefined
  /** Other than the usual ones, for tests. */
  readonly answerLimits?: Partial<AnswerLimits>
  /** How long a search engine may take, for tests. */
  readonly searchTimeoutMs?: number
  /** False for tests that count or script requests to Bedrock: the gateway then makes none of its own. */
  readonly probes?: boolean
  /** Other than the system's, for tests of budgets. */
  readonly budgetClock?: Clock
  readonly onBudgetEvent?: (event: BudgetEvent) => void
}

/** What is known only once the gateway runs. */
export interface Running {
  loops: () => readonly LoopStatus[]
  ports: OpenPorts | undefined
}

/** The part of the core that only the composition root uses. */
export interface Foundation extends Core {
  readonly config: Config
  readonly parts: AppParts
  readonly link: OpeningLink
  readonly holder: SnapshotHolder
  readonly telemetry: Telemetry
  readonly drain: Drain
  /** For addresses that a user has chosen: what administrators may reach by their configuration is not theirs. */
  readonly ownHttp: OutgoingHttp
  readonly checkOwnUrl: (url: string) => string | undefined
  readonly builtInAdmin: User
  /** Sessions that ended where no database is configured. */
  readonly endedSessions: Set<string>
  /** The key of the database; SECRET_KEY goes before it. */
  readonly useSharedSecretKey: (bytes: Buffer) => void
  readonly running: Running
}

export async function createCore(config: Config, parts: AppParts): Promise<Foundation> {
  const { log, version } = parts
  const startedAt = new Date().toISOString()
  const link = createDatabaseLink(buildDatabaseOptions(config.database, config.region, log), log)
  const admin = builtInAdmin(config.adminUsername, startedAt)
  const endedSessions = new Set<string>()
  const settingDefaults = { ...defaultSettings, capability_probe_aip: config.capabilityProbeAip }
  const builtIn = builtInSnapshot({
    ...builtInModels(startedAt),
    idps: builtInIdps(config),
    users: [admin],
    endedSessions,
    region: config.region,
    createdAt: startedAt,
  })
  const stored = {
    readVersions: createVersionReader(link.require),
    readSnapshot: (previous: Snapshot | undefined) => readSnapshot(link.require(), previous, settingDefaults),
  }
  const holder = link.isConfigured ? createSnapshotHolder(undefined, stored) : createSnapshotHolder(builtIn, undefined)
  const snapshot = (): Snapshot => (holder.isLoaded() ? holder.current() : builtIn)
  const { otlpEndpoint, tracesExporter } = config
  const telemetry = await createTelemetry({ version, otlpEndpoint, tracesExporter, log })
  return {
    config,
    parts,
    instanceId: newId(),
    version,
    startedAt,
    log,
    clock: systemClock,
    link,
    database: link.require,
    holder,
    isLoaded: holder.isLoaded,
    snapshot,
    changed: createChanged(holder.reload, (error) =>
      log.warn({ err: error }, 'the snapshot could not be reloaded after a change'),
    ),
    telemetry,
    instruments: telemetry.instruments,
    drain: createDrain(),
    ...createEgress(config),
    ...createSecrets(config.secretKey, link),
    settingDefaults,
    findKnownUrl: () => findKnownUrl({ publicUrl: config.publicUrl, idps: () => snapshot().idps }),
    findPortalFiles: createPortalFiles(),
    builtInAdmin: admin,
    endedSessions,
    running: { loops: () => [], ports: undefined },
  }
}

type Egress = Pick<Foundation, 'outgoing' | 'ownHttp' | 'checkUrl' | 'checkOwnUrl'>

function createEgress(config: Config): Egress {
  const allow = parseEgressAllow(config.egressAllow.join(','))
  const ownAllow = parseEgressAllow(config.searchEgressAllow.join(','))
  const checkUrl = (url: string): string | undefined => reasonAgainst(url, allow)
  return {
    outgoing: createOutgoingHttp({ allow }),
    ownHttp: createOutgoingHttp({ allow: ownAllow }),
    checkUrl,
    checkOwnUrl: (url) => {
      const reason = reasonAgainst(url, ownAllow)
      if (reason === undefined || checkUrl(url) !== undefined) return reason
      return `${reason}; EGRESS_ALLOW, which names it, is for what administrators set, SEARCH_EGRESS_ALLOW for this`
    },
  }
}

function reasonAgainst(url: string, allow: EgressAllow): string | undefined {
  const decision = decideUrl(url, allow)
  return decision.kind === 'refused' ? decision.reason : undefined
}

type Secrets = Pick<Foundation, 'secretBox' | 'encryptSecret' | 'decryptSecret' | 'useSharedSecretKey'>

function createSecrets(secretKey: Secret | null, { isConfigured }: OpeningLink): Secrets {
  let box = secretKey === null ? undefined : createSecretBox(Buffer.from(secretKey.reveal()))
  const secretBox = (): SecretBox => {
    if (box === undefined) throw problem(isConfigured ? 'database_unavailable' : 'database_required')
    return box
  }
  return {
    secretBox,
    encryptSecret: (plain, context) => secretBox().seal(plain, context),
    decryptSecret: (sealed, context) => secretBox().open(sealed, context),
    useSharedSecretKey: (bytes) => {
      box ??= createSecretBox(bytes)
    },
  }
}

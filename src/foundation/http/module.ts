/** What modules and extensions are given, and what they give back. */
import type { Database } from '../database/database.ts'
import type { DatabaseLink } from '../database/database-link.ts'
import type { InstrumentName } from '../domain/instruments.ts'
import type { Settings } from '../domain/settings.ts'
import type { Logger } from '../platform/logger.ts'
import type { Loop } from '../platform/loops.ts'
import type { Instruments } from '../platform/metrics.ts'
import type { OutgoingHttp } from '../platform/outgoing-http.ts'
import type { SecretBox, SecretPorts } from '../platform/secret-box.ts'
import type { FindPortalFiles } from './portal-files.ts'
import type { Route } from './route.ts'
import type { RoutePorts } from './write-change.ts'

/** Shared by all modules. Each names the part that it uses. */
export interface Core extends RoutePorts, SecretPorts {
  /** Of this process, the same wherever it is named. */
  readonly instanceId: string
  readonly version: string
  readonly startedAt: string
  readonly link: DatabaseLink
  /** Whether the first snapshot is there. */
  readonly isLoaded: () => boolean
  readonly log: Logger
  readonly instruments: Instruments<InstrumentName>
  /** For requests to addresses that administrators have set. */
  readonly outgoing: OutgoingHttp
  /** Undefined when the gateway may call the URL, else why not. */
  readonly checkUrl: (url: string) => string | undefined
  /** Opens and closes stored secrets; throws until the key is known. */
  readonly secretBox: () => SecretBox
  /** What a setting is while nobody has stored it; the environment decides some. */
  readonly settingDefaults: Settings
  /** Under which origin people reach the gateway; undefined while nobody has said so. */
  readonly findKnownUrl: () => string | undefined
  readonly findPortalFiles: FindPortalFiles
}

export interface Module {
  readonly routes: readonly Route[]
  readonly loops: readonly Loop[]
  /** Writes rows that must exist before anything reads. Runs again as a whole when the database went away meanwhile. */
  readonly seed?: (database: Database) => Promise<void>
  /** Runs once after every seed and before the first snapshot is loaded, in the order of the modules. */
  readonly start?: (signal: AbortSignal) => Promise<void>
  /** Runs after the last request has ended, in reverse order. A hanging database must not hold it up for long. */
  readonly stop?: () => Promise<void>
}

/** An optional feature. What it can tell others, they ask all extensions for, and cope when none answers. */
export interface Extension extends Module {
  /** Ids of enabled identity providers that can provision people now. */
  readonly findProvisioningIdps?: (db: Database['kysely'], nowMs: number) => Promise<readonly string[]>
}

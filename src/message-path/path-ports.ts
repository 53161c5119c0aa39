/** Everything the message path is given, in one place. Each stage takes only the part it names. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '../foundation/domain/caller.ts'
import type { ModelHost } from '../foundation/domain/model-host.ts'
import type { Clock } from '../foundation/platform/clock.ts'
import type { Logger } from '../foundation/platform/logger.ts'
import type { AnswerLimits } from './answer/answer-limits.ts'
import type { ClientDisconnects } from './answer/client-disconnects.ts'
import type { Pings } from './answer/pings.ts'
import type {
  BudgetGate,
  CallTracer,
  Capabilities,
  EndpointConditions,
  Ledger,
  MappingMemory,
  Meters,
  ProfileDirectory,
  RateWindows,
  RoutingMemory,
  SessionPlans,
  SnapshotPort,
  TokenCalibration,
  WebSearch,
} from './ports.ts'
import type { OverloadGate } from './receive/overload-gate.ts'

export interface PathPorts {
  readonly clock: Clock
  readonly log: Logger
  readonly snapshot: SnapshotPort
  /** Undefined when calls can be served, else why not. */
  readonly whyNotReady: () => string | undefined
  readonly authenticate: (headers: IncomingHttpHeaders) => Caller | Promise<Caller>
  readonly overload: OverloadGate
  readonly rateWindows: RateWindows
  readonly budgets: BudgetGate
  readonly profiles: ProfileDirectory
  readonly mappings: MappingMemory
  readonly routing: RoutingMemory
  readonly conditions: EndpointConditions
  readonly capabilities: Capabilities
  readonly sessionPlans?: SessionPlans
  readonly host: ModelHost
  readonly webSearch: WebSearch
  /** Under which origin people reach the portal; undefined while nobody has said so. */
  readonly findPortalUrl: () => string | undefined
  readonly ledger: Ledger
  /** At most one record a second for the rate-limit refusals of a key. */
  readonly mayRecordRefusal: (keyId: string) => boolean
  /** For every refusal by the limit of a key, recorded or not. Never throws and never waits. */
  readonly onRateLimited: (caller: Caller) => void
  /** For every call of a known caller, before it is admitted. Never throws and never waits. */
  readonly onCall: (caller: Caller, sourceAddress: string) => void
  /** For every list of models that was asked for. Never throws and never waits. */
  readonly onModelsListed: (caller: Caller) => void
  readonly pings: Pings
  readonly disconnects: ClientDisconnects
  readonly answerLimits: AnswerLimits
  /** Work that a shutdown waits for; `stop` is called when its time is up. */
  readonly track: (stop: () => void) => { readonly done: () => void }
  readonly firstByteTimeoutMs: number
  readonly meters: Meters
  /** Undefined unless somebody wants traces: then nothing is made for them. */
  readonly tracer: CallTracer | undefined
  readonly calibration: TokenCalibration
}

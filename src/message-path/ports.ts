/** What the message path needs from outside. The path knows no database and no cloud SDK: `app.ts` plugs the answers in. */
import type { BudgetDecision } from '../foundation/domain/budget.ts'
import type { BudgetTerms } from '../foundation/domain/budget-terms.ts'
import type { Caller } from '../foundation/domain/caller.ts'
import type { Endpoint, HealthStatus } from '../foundation/domain/endpoint.ts'
import type { ErrorCode } from '../foundation/domain/errors.ts'
import type { Charge } from '../foundation/domain/model-host.ts'
import type { ModelMapping } from '../foundation/domain/model-mapping.ts'
import type { NanoUsd } from '../foundation/domain/money.ts'
import type { OpenCall } from '../foundation/domain/open-call.ts'
import type { ProviderFailure } from '../foundation/domain/provider-failure.ts'
import type { Snapshot } from '../foundation/domain/snapshot.ts'
import type { SpendRecord } from '../foundation/domain/spend-record.ts'
import type { RunSearch, SearchProvider } from '../foundation/domain/web-search.ts'

export interface SnapshotPort {
  readonly current: () => Snapshot
}

/** The first messages of a conversation, and what was known when they were sent for the first time. */
export interface PinnedTurns {
  /** Counted from the beginning of the conversation. */
  readonly messages: number
  readonly verdicts: ReadonlyMap<string, CapabilityVerdict>
  readonly refusedFields: readonly string[]
}

export interface SessionPlans {
  /** Oldest turns first; empty for a new conversation. */
  readonly find: (conversation: string) => readonly PinnedTurns[]
  readonly keep: (conversation: string, turns: readonly PinnedTurns[]) => void
}

export interface InferenceProfile {
  /** `us.anthropic.claude-…` */
  readonly profileId: string
  readonly arn: string
  readonly name: string
  readonly status: string
  readonly type: string
  /** Foundation model ids behind it; one model in several regions gives one id. */
  readonly modelIds: readonly string[]
}

export interface ProfileDirectory {
  /** Hosted ids found by the last health check; undefined before the first one. */
  readonly availableModels: (endpointId: string) => ReadonlySet<string> | undefined
  /** The foundation model of an override's application profile, once a health check has read it. */
  readonly modelBehind: (endpointId: string, aipArn: string) => string | undefined
  /** Asks the hosted service; merges concurrent questions for one endpoint. */
  readonly listProfiles: (endpoint: Endpoint) => Promise<readonly InferenceProfile[]>
}

export interface MappingMemory {
  /** Remembers a discovered pair at once here, and for all instances through the store. */
  readonly remember: (mapping: ModelMapping) => void
  readonly findDiscovered: (requestedId: string) => ModelMapping | undefined
  readonly isKnownMissing: (requestedId: string, scope: string) => boolean
  readonly rememberMissing: (requestedId: string, scope: string) => void
  /** Runs `ask` once for all calls that put the same question while it is open. */
  readonly askOnce: <T>(question: string, ask: () => Promise<T>) => Promise<T>
  /** The endpoint's listing of the last minute; `list` runs only when there is none. */
  readonly listOnce: (
    location: string,
    list: () => Promise<readonly InferenceProfile[]>,
  ) => Promise<readonly InferenceProfile[]>
}

export type RateDecision =
  | {
      readonly kind: 'taken'
      readonly remaining: number
      readonly resetSeconds: number
      /** Names the place, for `giveBack`. */
      readonly takenAtMs: number
    }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }

export interface RateWindows {
  /** Takes one place in the last minute of `id`, or says when one is free. */
  readonly take: (id: string, limitRpm: number) => RateDecision | Promise<RateDecision>
  /** Calls that the gateway itself refuses after admission do not count. */
  readonly giveBack: (id: string, takenAtMs: number) => void
}

export interface BudgetRequest {
  readonly caller: Caller
  readonly hostedModelId: string
  /** The profile that will be asked first, and where: they decide the price. */
  readonly modelId: string
  readonly region: string | null
  readonly requestBytes: number
  readonly maxTokens: number | null
}

/** Where a budget stands, settled spend only. */
export interface BudgetView extends BudgetDecision {
  readonly terms: BudgetTerms
  readonly spentNanoUsd: NanoUsd
  readonly resetsAtMs: number
}

export interface BudgetHold {
  /** One hosted call of several is over. */
  readonly charge: (record: SpendRecord) => void
  /** The last one is over, whatever came of it: what was reserved is free, what it cost is spent. */
  readonly settle: (record: SpendRecord) => void
  /** The call was refused after all, and there will be no record of it. */
  readonly release: () => void
}

export type BudgetReservation =
  /** `hold` is null when no budget applies; `view` is the strictest, null also when nothing is known of it. */
  | { readonly kind: 'held'; readonly hold: BudgetHold | null; readonly view: BudgetView | null }
  /** Spent. */
  | { readonly kind: 'blocked'; readonly view: BudgetView }
  /** What is left is reserved by calls that still run. */
  | { readonly kind: 'busy'; readonly view: BudgetView }
  /** There is a limit, and nobody can say how much is spent. */
  | { readonly kind: 'unknown' }

export interface BudgetGate {
  readonly reserve: (request: BudgetRequest) => BudgetReservation | Promise<BudgetReservation>
}

export interface RoutingMemory {
  readonly findAffinity: (subject: string) => string | undefined
  readonly setAffinity: (subject: string, endpointId: string) => void
  /** Counts up per team. */
  readonly nextTurn: (teamId: string) => number
}

export interface EndpointConditions {
  readonly findHealth: (endpointId: string) => HealthStatus
  /** 0 when the endpoint may be tried; else when its pause ends, on the monotonic clock. */
  readonly coolingUntilMs: (endpointId: string) => number
  /** A pause has ended and this call is the one trial. */
  readonly claimTrial: (endpointId: string) => boolean
  readonly recordSuccess: (endpointId: string, durationMs: number, firstTokenMs: number | null) => void
  readonly recordFailure: (endpointId: string, failure: ProviderFailure) => void
  readonly recordFailover: (endpointId: string) => void
  /** The endpoint has begun to answer: its pause ends without waiting for the end of a long stream. */
  readonly recordAlive: (endpointId: string) => void
}

export type CapabilityVerdict = 'supported' | 'unsupported' | 'suspected' | 'unknown'

export interface Capabilities {
  /** `feature` is a beta name or a body field path. */
  readonly verdict: (endpointId: string, profileId: string, feature: string) => CapabilityVerdict
  /** For many questions in a row: what they share is looked up once. */
  readonly verdicts: (endpointId: string, profileId: string) => (feature: string) => CapabilityVerdict
  /** `doubted` is suspected although it was supported. */
  readonly learn: (
    endpointId: string,
    profileId: string,
    feature: string,
    verdict: Exclude<CapabilityVerdict, 'unknown'> | 'doubted',
  ) => void
  /** What a retry may still send after a refusal that named nothing. */
  readonly knownGoodBetas: (endpointId: string, profileId: string) => ReadonlySet<string>
  /** Nested body fields that were refused, such as `tools.new_field`. */
  readonly refusedFields: (endpointId: string, profileId: string) => readonly string[]
}

/** What web search is for one caller, now. */
export type WebSearchTerms =
  | { readonly kind: 'off' }
  /** `provider` is null when nobody can say which one it is. */
  | { readonly kind: 'on'; readonly provider: SearchProvider | null }

export interface WebSearch {
  /** Reads the database, as the specification wants it: asked only for requests that offer the tool. Never fails. */
  readonly termsFor: (caller: Caller) => Promise<WebSearchTerms>
  readonly search: RunSearch
}

export interface Ledger {
  /** Resolves when the record is safe: the answer's last byte waits for it. */
  readonly append: (record: SpendRecord) => Promise<void>
}

/** Notes of hosted calls that have begun, so that a crash leaves a record of them. */
export interface OpenCallNotes {
  /**
   * A hosted call is to begin. Once `begin` is called it leaves a record even if this process dies. `readProgress` is called
   * until the call has its record.
   */
  readonly open: (call: OpenCall, begin: () => void, readProgress?: Charge['readProgress']) => void
  /** The hosted service refused the call. */
  readonly close: (requestId: string, round: number) => void
}

/** Counts what happens, for operators. */
export interface Meters {
  /** A call is over, whatever came of it, and has its record. */
  readonly served: (record: SpendRecord) => void
  /** The gateway itself said no. */
  readonly refused: (code: ErrorCode) => void
  /** A refused call that leaves no record. */
  readonly unrecorded: (status: number) => void
}

export type CallStage =
  | 'authenticate'
  | 'receive'
  | 'admit'
  | 'resolve-model'
  | 'route'
  | 'reserve-budget'
  | 'call-provider'
  | 'answer'
  | 'account'

/** One call, as operators may follow it through the stages. It begins with `authenticate`. */
export interface CallTrace {
  /** The stage before is over. */
  readonly enter: (stage: CallStage) => void
  readonly account: (record: SpendRecord) => void
  readonly refused: (code: ErrorCode, status: number) => void
  readonly end: () => void
}

export interface CallTracer {
  /** Undefined when this call is not followed. */
  readonly begin: (requestId: string, headers: Readonly<Record<string, unknown>>) => CallTrace | undefined
}

/** Corrects token estimates by what the hosted service really counted. */
export interface TokenCalibration {
  readonly shouldSample: (hostedModelId: string, bodyBytes: number) => boolean
  readonly learn: (hostedModelId: string, estimatedTokens: number, actualTokens: number) => void
  readonly calibratedEstimate: (hostedModelId: string, estimatedTokens: number) => number
}

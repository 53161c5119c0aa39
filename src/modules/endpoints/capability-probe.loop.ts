/**
 * Finds out by single-token calls which profiles take the long-context beta, settles betas that traffic made suspect,
 * and asks again about betas and fields that were refused a day ago. Each (endpoint, profile, feature) is probed once a
 * day by the instance that claims it; all instances share the verdict.
 */
import { type CapabilityKey, LONG_CONTEXT_BETA } from '../../foundation/domain/capability.ts'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import { findProfileParts } from '../../foundation/domain/model-id.ts'
import { mayFailOver } from '../../foundation/domain/provider-failure.ts'
import { CAPABILITY_TTL_MS, type CapabilityMemory, type ProbeVerdict } from './capabilities.memory.ts'
import type { CapabilityProbeStore, ProbeRow } from './capability-probes.store.ts'
import { inParallel } from './in-parallel.ts'
import type { LookSchedule } from './look-schedule.memory.ts'
import { ABOUT_BETAS, betaAlone, findProbeBody, type ProbeBody } from './probe-body.ts'
import type { CallFailure } from './synthetic-call.service.ts'

export interface ProbePorts {
  /** Undefined while no database is open; without one nothing is probed. */
  readonly store: () => CapabilityProbeStore | undefined
  readonly endpoints: () => readonly Endpoint[]
  readonly availableModels: (endpointId: string) => ReadonlySet<string> | undefined
  readonly capabilities: Pick<CapabilityMemory, 'settle' | 'suspects' | 'refusalsInUse'>
  readonly isOverridden: (key: CapabilityKey) => boolean
  readonly mayProbeAips: () => boolean
  readonly call: (endpoint: Endpoint, profileId: string, feature: string, body: ProbeBody) => Promise<CallFailure>
  readonly schedule: LookSchedule
  readonly applied: AppliedVerdicts
  readonly onError: (error: unknown) => void
  readonly random?: () => number
}

/** Which shared verdicts this instance has taken over: an old one must not replace what traffic has taught since. */
export type AppliedVerdicts = Map<string, number>

/** The tick of the specification: what was throttled is tried again this often. */
export const PROBE_TICK_MS = 60_000
export const PROBE_SPREAD = 0.05

/** Before the entry ends: otherwise the long-context variants would vanish from the list until the next probe. */
const DAILY_MS = CAPABILITY_TTL_MS * 0.97
const DAILY_SPREAD = 0.02
const RETRY_MS = PROBE_TICK_MS * 0.8
/** Missing access or a wrong profile is mended by people, so asking every minute would only fill logs. */
const REFUSED_RETRY_MS = 60 * 60_000
/** Another instance is asking: its verdict comes within seconds. */
const OTHERS_AT_WORK_MS = 2_000

const PROBES_AT_ONCE = 3
/** Clients may send any name; each refused one could make a suspect. */
const MAX_SUSPECTS_A_TICK = 10
const MAX_REFUSALS_A_TICK = 10
const MAX_ROWS_OF_ENDPOINT = 2_000

export function startDueProbes(ports: ProbePorts, signal: AbortSignal): void {
  const store = ports.store()
  if (store === undefined) return
  const endpoints = ports.endpoints().filter((endpoint) => endpoint.enabled)
  const ids = new Set(endpoints.map((endpoint) => endpoint.id))
  ports.schedule.keepOnly(ids)
  for (const key of ports.applied.keys()) if (!ids.has(key.slice(0, key.indexOf('/')))) ports.applied.delete(key)
  for (const endpoint of endpoints) {
    if (ports.availableModels(endpoint.id) === undefined) continue
    const wanted = wantedOn(endpoint, ports)
    if (signal.aborted || !ports.schedule.begin(endpoint.id, wanted.map(keyText).join(' '))) continue
    probeEndpoint(endpoint, wanted, store, ports, signal).then(
      (againInMs) => ports.schedule.finished(endpoint.id, againInMs),
      (error: unknown) => {
        // failure-modes: capability probe fails
        ports.onError(error)
        ports.schedule.finished(endpoint.id)
      },
    )
  }
}

/** The long-context beta on everything the endpoint would invoke, except where an administrator has decided. */
function wantedOn(endpoint: Endpoint, ports: Pick<ProbePorts, ProbeChoice>): readonly CapabilityKey[] {
  const profiles = [...(ports.availableModels(endpoint.id) ?? [])].filter((id) => findProfileParts(id) !== undefined)
  const arns = ports.mayProbeAips() ? listArns(endpoint) : []
  return [...new Set([...profiles, ...arns])]
    .map((profileId) => ({ endpointId: endpoint.id, profileId, feature: LONG_CONTEXT_BETA }))
    .filter((key) => !ports.isOverridden(key))
}

type ProbeChoice = 'availableModels' | 'mayProbeAips' | 'isOverridden'

function listArns(endpoint: Endpoint): readonly string[] {
  if (endpoint.aipOverrides.length > 0) return endpoint.aipOverrides.map((override) => override.aipArn)
  return endpoint.inferenceProfileArn === null ? [] : [endpoint.inferenceProfileArn]
}

/** When to look again sooner than usual; undefined for the usual tick. */
async function probeEndpoint(
  endpoint: Endpoint,
  wanted: readonly CapabilityKey[],
  store: CapabilityProbeStore,
  ports: ProbePorts,
  signal: AbortSignal,
): Promise<number | undefined> {
  const rows = new Map((await store.list(endpoint.id)).map((row) => [keyText(row), row]))
  const suspects = rows.size < MAX_ROWS_OF_ENDPOINT ? suspectsOn(endpoint, ports) : []
  const suspected = new Set(suspects.map(keyText))
  for (const row of rows.values()) applyRow(row, suspected.has(keyText(row)), ports)
  const refused = rows.size < MAX_ROWS_OF_ENDPOINT ? refusedOn(endpoint, ports) : []
  const due = [...suspects.filter((key) => !isFresh(rows.get(keyText(key)))), ...refused, ...wanted].filter(
    (key) => rows.get(keyText(key))?.isDue ?? true,
  )
  const unique = [...new Map(due.map((key) => [keyText(key), key])).values()]
  let waitsForOthers = false
  await inParallel(unique, PROBES_AT_ONCE, async (key) => {
    if (signal.aborted) return
    const claimed = await store.claim([key])
    if (claimed.length === 0) waitsForOthers = true
    else await probe(endpoint, key, store, ports)
  })
  return waitsForOthers ? OTHERS_AT_WORK_MS : undefined
}

function suspectsOn(endpoint: Endpoint, ports: ProbePorts): readonly CapabilityKey[] {
  return ports.capabilities
    .suspects()
    .filter((key) => mayProbe(key, endpoint, ports))
    .slice(0, MAX_SUSPECTS_A_TICK)
}

/** Shortly before they are forgotten, so that no client pays to find out what is accepted now. */
function refusedOn(endpoint: Endpoint, ports: ProbePorts): readonly CapabilityKey[] {
  return ports.capabilities
    .refusalsInUse(DAILY_MS)
    .filter((key) => mayProbe(key, endpoint, ports) && findProbeBody(key.feature) !== undefined)
    .slice(0, MAX_REFUSALS_A_TICK)
}

/** Not the bare id of a model, which only its counter is asked under. */
function mayProbe({ endpointId, profileId }: CapabilityKey, endpoint: Endpoint, ports: ProbePorts): boolean {
  if (endpointId !== endpoint.id) return false
  if (isArn(profileId)) return ports.mayProbeAips() && listArns(endpoint).includes(profileId)
  return findProfileParts(profileId) !== undefined && ports.availableModels(endpoint.id)?.has(profileId) === true
}

function isArn(profileId: string): boolean {
  return profileId.startsWith('arn:')
}

function isFresh(row: ProbeRow | undefined): boolean {
  return row?.settled != null && row.settled.ageMs < CAPABILITY_TTL_MS
}

function applyRow(row: ProbeRow, isSuspect: boolean, ports: ProbePorts): void {
  const { settled } = row
  if (settled === null || settled.ageMs >= CAPABILITY_TTL_MS) return
  // spec: while AIP probing is off, their entries stay empty until traffic or an administrator fills them.
  if (isArn(row.profileId) && !ports.mayProbeAips()) return
  const isNews = settled.atMs > (ports.applied.get(keyText(row)) ?? 0)
  if (!isNews && !isSuspect) return
  ports.applied.set(keyText(row), settled.atMs)
  ports.capabilities.settle(row.endpointId, row.profileId, row.feature, settled.verdict, settled.ageMs)
}

async function probe(
  endpoint: Endpoint,
  key: CapabilityKey,
  store: CapabilityProbeStore,
  ports: ProbePorts,
): Promise<void> {
  // Suspects are betas, whatever their names look like.
  const body = findProbeBody(key.feature) ?? betaAlone(key.feature)
  const failure = await ports.call(endpoint, key.profileId, key.feature, body)
  const verdict = decideVerdict(failure, key.feature, body.words)
  if (verdict === undefined) {
    // spec: throttle or 5xx leave the entry unchanged and are tried again at the next tick.
    const isPassing = failure !== undefined && mayFailOver(failure)
    const retryMs = isPassing ? RETRY_MS : spread(REFUSED_RETRY_MS, 0.1, ports.random)
    await store.postpone(key, retryMs, `${failure?.status} ${failure?.name ?? ''}`.trim())
    return
  }
  ports.capabilities.settle(key.endpointId, key.profileId, key.feature, verdict)
  const settledAtMs = await store.settle(key, verdict, spread(DAILY_MS, DAILY_SPREAD, ports.random))
  if (settledAtMs !== undefined) ports.applied.set(keyText(key), settledAtMs)
}

/**
 * Undefined when the answer says nothing about the feature. The prompt is ours and the feature was sent alone, so a
 * refusal that speaks of such features without naming one can only mean this one.
 */
export function decideVerdict(failure: CallFailure, feature: string, words: RegExp): ProbeVerdict | undefined {
  if (failure === undefined) return 'supported'
  if (failure.kind !== 'answered' || failure.status !== 400) return undefined
  return failure.message.includes(feature) || words.test(failure.message) || ABOUT_BETAS.test(failure.message)
    ? 'unsupported'
    : undefined
}

function spread(ms: number, share: number, random: () => number = Math.random): number {
  return ms * (1 + share * (2 * random() - 1))
}

/** No space occurs in ids, ARNs or beta names. */
function keyText(key: CapabilityKey): string {
  return `${key.endpointId}/${key.profileId}/${key.feature}`
}

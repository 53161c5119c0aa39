/** Puts one request into the form that is right for one candidate, and learns from what candidates refuse. */
import type { IncomingMessage } from 'node:http'
import { invalidParameter } from '../foundation/domain/errors.ts'
import { isCredentialRefusal, type ProviderFailure } from '../foundation/domain/provider-failure.ts'
import type { Candidate, ResolvedModel } from './call.ts'
import { openConversation } from './pinned-conversation.ts'
import type { Capabilities, CapabilityVerdict, PinnedTurns, SessionPlans } from './ports.ts'
import { parseBetaHeader } from './translate/betas.ts'
import { dependedOnBetas } from './translate/feature-table.ts'
import { decidePlan, type PlanInput, type RequestPlan } from './translate/plan-request.ts'
import type { MessagesRequest } from './translate/read-request.ts'
import { decideRepair, namesForgedPath, readRejection } from './translate/rejections.ts'
import { type HostedBody, toHostedRequest } from './translate/to-hosted-request.ts'
import { writeTurns } from './translate/write-turns.ts'

export interface PreparedRequest {
  readonly body: readonly Buffer[]
  readonly bytes: number
  readonly plan: RequestPlan
}

export interface RepairedRequest {
  readonly request: PreparedRequest
  /** What was refused: equal for refusals of the same. */
  readonly about: string
}

export interface Preparer {
  readonly prepare: (candidate: Candidate) => PreparedRequest
  readonly repair: (
    candidate: Candidate,
    request: PreparedRequest,
    failure: ProviderFailure,
  ) => RepairedRequest | undefined
  /** Names what the client must leave out, where the hosted service's own words do not: the client acts on the name. */
  readonly explain: (failure: ProviderFailure) => ProviderFailure
  /** What went through is known to be good (spec: Capability cache entry). */
  readonly learnAccepted: (candidate: Candidate, betas: readonly string[]) => void
}

/** Remembered like a beta: whether a model takes results of a search as blocks that it can cite. */
const CITABLE_RESULTS = 'content:search_result'
const REFUSES_CITABLE =
  /Input tag 'search_result'|search_result\.citations|search_result\b.{0,80}not (?:supported|permitted)/i

const nothing: readonly string[] = []
const EARLIER_TURNS = 'earlier turns'

export interface PreparerOptions {
  /** Gives the same request with results of searches as plain text, where it has any. */
  readonly plainer?: (() => MessagesRequest) | undefined
  /** The body of the operation that is asked; of a message when it is left out. */
  readonly write?: (request: MessagesRequest, plan: RequestPlan) => HostedBody
}

export function createPreparer(
  { headers }: Pick<IncomingMessage, 'headers'>,
  sent: MessagesRequest,
  model: ResolvedModel,
  {
    capabilities,
    sessionPlans,
  }: { readonly capabilities: Capabilities; readonly sessionPlans?: SessionPlans | undefined },
  { plainer, write }: PreparerOptions = {},
): Preparer {
  // A count is right without the fields that a client depends on.
  const mayRefuse = write === undefined
  const writeBody = write ?? toHostedRequest
  const conversation = openConversation(headers, model, mayRefuse ? sessionPlans : undefined)
  /** What was sent last, with the turns before it that keep their own translation. */
  let latest: { readonly plan: RequestPlan; readonly earlier: readonly PinnedTurns[] } | undefined
  let repairedLater = nothing
  /** The field that this request must lose although its client depends on it. */
  let unavailable: string | undefined
  const headerBetas = parseBetaHeader(headers['anthropic-beta'])
  /** What one candidate refused of this request is not tried on the next: there is one repair of it for a call. */
  let refusedBefore: readonly string[] = nothing

  const verdictsOn = ({ endpoint, modelId }: Candidate): ((feature: string) => CapabilityVerdict) => {
    const verdict = capabilities.verdicts(endpoint.id, modelId)
    return (feature) => {
      const known = verdict(feature)
      return known === 'unknown' && refusedBefore.includes(feature) ? 'unsupported' : known
    }
  }

  const refusedFieldsOn = ({ endpoint, modelId }: Candidate): readonly string[] => {
    const known = capabilities.refusedFields(endpoint.id, modelId)
    return refusedBefore.length === 0 ? known : [...known, ...refusedBefore]
  }

  const pinnedVerdicts = (candidate: Candidate): PlanInput['verdict'] => {
    const current = verdictsOn(candidate)
    const pinned = conversation.turnsOn(candidate).at(-1)?.verdicts
    if (pinned === undefined) return conversation.watch(current)
    return conversation.watch((feature) =>
      refusedBefore.includes(feature) ? 'unsupported' : (pinned.get(feature) ?? current(feature)),
    )
  }

  const plan = (candidate: Candidate): RequestPlan =>
    decidePlan({
      request: requestFor(candidate),
      headerBetas,
      hostedModelId: model.hostedModelId,
      longContext: model.longContext,
      verdict: pinnedVerdicts(candidate),
      // Where the gateway searches itself, the request offers a tool of another type by now.
      webSearchTool: { kind: 'drop' },
      refusedFields: conversation.turnsOn(candidate).at(-1)?.refusedFields ?? refusedFieldsOn(candidate),
    })

  const requestFor = (candidate: Candidate): MessagesRequest => {
    if (plainer === undefined) return sent
    return verdictsOn(candidate)(CITABLE_RESULTS) === 'unsupported' ? plainer() : sent
  }

  const learnRefused = (
    { endpoint, modelId }: Candidate,
    features: readonly string[],
    verdict: 'unsupported' | 'suspected' | 'doubted',
  ): void => {
    refusedBefore = [...refusedBefore, ...features]
    for (const feature of features) capabilities.learn(endpoint.id, modelId, feature, verdict)
  }

  const written = (decided: RequestPlan, earlier: readonly PinnedTurns[] = []): PreparedRequest => {
    latest = { plan: decided, earlier }
    const body = earlier.length > 0 ? writeTurns(decided, earlier) : writeBody(decided.input.request, decided)
    return { ...body, plan: decided }
  }

  /** Nothing is sent when the client depends on what would be left out. */
  const repairedBy = (
    candidate: Candidate,
    refused: PreparedRequest,
    decided: RequestPlan,
    about: string,
  ): RepairedRequest | undefined => {
    if (mayRefuse) unavailable = decided.unavailable
    if (unavailable !== undefined) return undefined
    const earlier = conversation.turnsOn(candidate)
    if (earlier.length === 0) return { request: written(decided), about }
    if (!repairedLater.includes(about)) {
      repairedLater = [...repairedLater, about]
      const request = written(decided, earlier)
      if (!Buffer.concat(request.body).equals(Buffer.concat(refused.body))) return { request, about }
    }
    return { request: written(decided), about: EARLIER_TURNS }
  }

  /** Nothing but betas that were good is left to blame: the hosted service has changed its mind about one of them. */
  const withoutGood = (candidate: Candidate, refused: PreparedRequest): RepairedRequest | undefined => {
    const { betas } = refused.plan
    const others = betas.filter((beta) => !dependedOnBetas.has(beta))
    learnRefused(candidate, others.length > 0 ? others : betas, 'doubted')
    const decided = plan(candidate)
    return decided.betas.length === betas.length ? undefined : repairedBy(candidate, refused, decided, 'betas')
  }

  return {
    prepare: (candidate) => {
      const decided = plan(candidate)
      if (mayRefuse && decided.unavailable !== undefined)
        throw invalidParameter(
          decided.unavailable,
          'this model on Amazon Bedrock does not accept it. Send the request without it.',
        )
      return written(decided, conversation.turnsOn(candidate).slice(0, -1))
    },
    repair: (candidate, refused, failure) => {
      // The host has let the refused ones go, and signs the next try with others.
      if (failure.kind === 'answered' && isCredentialRefusal(failure.name))
        return { request: refused, about: 'credentials' }
      if (failure.status !== 400) return undefined
      if (plainer !== undefined && REFUSES_CITABLE.test(failure.message)) {
        learnRefused(candidate, [CITABLE_RESULTS], 'unsupported')
        return { request: written(plan(candidate)), about: CITABLE_RESULTS }
      }
      const rejection = readRejection(failure.message)
      if (rejection === undefined || namesForgedPath(failure.message, refused.plan.input.request)) return undefined
      const { endpoint, modelId } = candidate
      const repair = decideRepair(refused.plan, rejection, capabilities.knownGoodBetas(endpoint.id, modelId))
      // The turns before are refused for the same thing: it is better to lose their thinking than the conversation.
      if (repair === undefined && latest !== undefined && latest.earlier.length > 0)
        return { request: written(refused.plan), about: EARLIER_TURNS }
      if (repair === undefined) return rejection.kind === 'unnamed-beta' ? withoutGood(candidate, refused) : undefined
      learnRefused(candidate, repair.unsupported, 'unsupported')
      learnRefused(candidate, repair.suspected, 'suspected')
      return repairedBy(candidate, refused, repair.plan, repair.about)
    },
    explain: (failure) =>
      unavailable === undefined || failure.message.includes(unavailable)
        ? failure
        : {
            ...failure,
            message: `${unavailable}: this model on Amazon Bedrock does not accept it (${failure.message}). Send the request without it.`,
          },
    learnAccepted: (candidate, betas) => {
      if (latest !== undefined) conversation.keep(candidate, latest.plan, latest.earlier)
      latest = undefined
      for (const beta of betas) capabilities.learn(candidate.endpoint.id, candidate.modelId, beta, 'supported')
    },
  }
}

/**
 * A conversation with a model that binds thinking to the bytes before it: what has been sent is translated as it was the
 * first time, and what is learned later counts for later turns only.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Candidate, ResolvedModel } from './call.ts'
import type { CapabilityVerdict, PinnedTurns, SessionPlans } from './ports.ts'
import { bindsThinking } from './translate/feature-table.ts'
import type { PlanInput, RequestPlan } from './translate/plan-request.ts'
import { countMessages } from './translate/write-turns.ts'

export interface PinnedConversation {
  readonly turnsOn: (candidate: Candidate) => readonly PinnedTurns[]
  /** Notes what a plan asks about, to be kept with it. */
  readonly watch: (verdict: PlanInput['verdict']) => PlanInput['verdict']
  /** The plan went through, behind these earlier turns. */
  readonly keep: (candidate: Candidate, plan: RequestPlan, earlier: readonly PinnedTurns[]) => void
}

const unpinned: PinnedConversation = { turnsOn: () => [], watch: (verdict) => verdict, keep: () => {} }

export function openConversation(
  headers: IncomingHttpHeaders,
  { hostedModelId }: ResolvedModel,
  plans: SessionPlans | undefined,
): PinnedConversation {
  const session = headers['x-claude-code-session-id']
  if (plans === undefined || !bindsThinking.has(hostedModelId) || typeof session !== 'string') return unpinned
  const agent = headers['x-claude-code-agent-id'] ?? ''
  const nameOn = ({ endpoint, modelId }: Candidate): string =>
    JSON.stringify([session.slice(0, 200), String(agent).slice(0, 200), endpoint.id, modelId])
  const asked = new Set<string>()
  return {
    turnsOn: (candidate) => plans.find(nameOn(candidate)),
    watch: (verdict) => (feature) => {
      asked.add(feature)
      return verdict(feature)
    },
    keep: (candidate, { input }, earlier) => {
      const name = nameOn(candidate)
      const before = plans.find(name).at(-1)
      const verdicts = new Map<string, CapabilityVerdict>(before?.verdicts)
      for (const feature of asked) verdicts.set(feature, input.verdict(feature))
      // A side request of the session may be shorter than its conversation.
      const messages = Math.max(countMessages(input.request), before?.messages ?? 0)
      plans.keep(name, [...earlier, { messages, verdicts, refusedFields: input.refusedFields ?? [] }])
    },
  }
}

/** Puts the agents of a session into the order of their tree: each after the one that started it. */
import type { AgentRecord } from '../../spend/spend-sessions.store.ts'

export interface PlacedAgent {
  readonly agent: AgentRecord
  /** 0 for those that nobody in this session started. */
  readonly depth: number
}

/** An agent whose parent made no call of its own, or that names itself, stands under the conversation. */
export function agentTree(agents: readonly AgentRecord[]): readonly PlacedAgent[] {
  const known = new Set(agents.map(({ agentId }) => agentId))
  const findParent = ({ agentId, parentAgentId }: AgentRecord): string | null | undefined => {
    if (agentId === null) return undefined
    if (parentAgentId !== null && parentAgentId !== agentId && known.has(parentAgentId)) return parentAgentId
    return known.has(null) ? null : undefined
  }
  const children = Map.groupBy(agents, findParent)
  const placed: PlacedAgent[] = []
  const seen = new Set<AgentRecord>()
  const place = (agent: AgentRecord, depth: number): void => {
    if (seen.has(agent)) return
    seen.add(agent)
    placed.push({ agent, depth })
    for (const child of children.get(agent.agentId) ?? []) place(child, depth + 1)
  }
  for (const root of children.get(undefined) ?? []) place(root, 0)
  // Agents that name each other as parents have no root; what they cost is shown all the same.
  for (const agent of agents) place(agent, 0)
  return placed
}

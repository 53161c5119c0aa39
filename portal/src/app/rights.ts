/** What the person who is signed in may open and do. The gateway decides; this keeps from offering what it would refuse. */
import { createContext, useContext } from 'react'
import type { Me } from '../api/session.ts'

export type Grant = Me['grants'][number]

/** An instance of the release before, which may still answer during an update, tells none. */
export function listGrants({ grants }: Me): Me['grants'] {
  return grants ?? []
}

interface GrantText {
  readonly grant: Grant
  readonly label: string
  readonly text: string
}

export const grantTexts: readonly GrantText[] = [
  {
    grant: 'team:lead',
    label: 'Team lead',
    text: 'Reads the own team, and no other: its people, budget, keys, analytics and calls. Decides what its people ask for.',
  },
  { grant: 'billing:read', label: 'Billing', text: 'Reads analytics, budgets and prices of everybody.' },
  {
    grant: 'audit:read',
    label: 'Audit',
    text: 'Reads the audit trail, how safe the gateway is set up, people, where they are signed in, and keys without their secrets.',
  },
  {
    grant: 'ops:operate',
    label: 'Operations',
    text: 'Reads health, endpoints, models and every call; checks endpoints and tests notifications.',
  },
]

export function grantLabels(held: readonly Grant[]): string {
  return grantTexts
    .filter(({ grant }) => held.includes(grant))
    .map(({ label }) => label)
    .join(', ')
}

export interface Rights {
  readonly isAdmin: boolean
  /** Administrators may everything; others need one of these. */
  readonly may: (...grants: readonly Grant[]) => boolean
  readonly mayOpen: (pathname: string) => boolean
  /** The name of the team that the person is shown alone, being a lead and having none of these wider grants. */
  readonly onlyTeam: (...wider: readonly Grant[]) => string | undefined
}

/** Handed down rather than asked for: every row of a long table may have a link. */
export const RightsContext = createContext<Rights | undefined>(undefined)

export function useRights(): Rights {
  const rights = useContext(RightsContext)
  if (rights === undefined) throw new Error('This is shown without a session.')
  return rights
}

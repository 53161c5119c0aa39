/** Decides whether a caller may use a route, and how much of its answer is theirs to see. */
import { type AccessRule, openingGrants, type Reach } from '../../foundation/domain/access.ts'
import type { Caller } from '../../foundation/domain/caller.ts'
import { type Problem, problem } from '../../foundation/domain/errors.ts'

const all: Reach = { kind: 'all' }

/** Throws the public error for whoever may not. */
export function requireAccess(rule: AccessRule, caller: Caller | undefined): Reach {
  const { access } = rule
  if (access === 'open') return all
  if (caller === undefined) throw problem('missing_credential')
  // Provisioning routes know their own tokens; nobody who got as far as here holds one.
  if (access === 'scim') throw problem('invalid_credential')
  if (access === 'client' || access === 'self-read') return all
  // A key lies in files and build servers, so it never carries its owner's powers: no role and no grant.
  if (caller.kind === 'key') throw problem(access === 'person' ? 'person_required' : 'admin_required')
  if (access === 'person' || caller.user.role === 'admin') return all
  return reachByGrant(rule, caller)
}

function reachByGrant(rule: AccessRule, { user, team }: Exclude<Caller, { kind: 'key' }>): Reach {
  if (rule.grants?.some((grant) => user.grants.includes(grant))) return all
  if (!rule.isForLeads || !user.grants.includes('team:lead')) throw refusal(rule)
  if (team === null) throw problem('team_required')
  return { kind: 'team', teamId: team.id }
}

function refusal(rule: AccessRule): Problem {
  const grants = openingGrants(rule)
  return grants.length === 0 ? problem('admin_required') : problem('grant_required', { grants: grants.join(' or ') })
}

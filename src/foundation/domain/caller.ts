import type { Payer } from './spend-record.ts'
import type { Team } from './team.ts'
import type { User } from './user.ts'
import type { VirtualKey } from './virtual-key.ts'

/** Who is calling, and by which credential. */
export type Caller =
  | { readonly kind: 'key'; readonly key: VirtualKey; readonly user: User | null; readonly team: Team | null }
  | { readonly kind: 'session'; readonly sessionId: string; readonly user: User; readonly team: Team | null }
  | { readonly kind: 'jwt'; readonly idpId: string; readonly user: User; readonly team: Team | null }

/** A key's own team pays when it has one, else its user's. */
export function payingTeamId(caller: Caller): string | null {
  return (caller.kind === 'key' ? caller.key.teamId : null) ?? caller.user?.teamId ?? null
}

export function findPayer(caller: Caller): Payer {
  return {
    keyId: caller.kind === 'key' ? caller.key.id : null,
    userId: caller.user?.id ?? null,
    teamId: payingTeamId(caller),
  }
}

/** What budgets, sticky routing and shaping are kept by: the person, or the key when it belongs to nobody. */
export function findSubject(caller: Caller): string {
  return caller.user?.id ?? (caller.kind === 'key' ? caller.key.id : '')
}

/** For the log line: an id that finds the caller without telling who it is. */
export function callerLabel(caller: Caller): string {
  return caller.kind === 'key' ? `key:${caller.key.id}` : `user:${caller.user.id}`
}

/** Whether the caller may use this very id: a key's list holds exact client ids. */
export function isGivenModel(caller: Caller, id: string): boolean {
  const allowed = caller.kind === 'key' ? caller.key.allowedModels : null
  return allowed === null || allowed.includes(id)
}

/**
 * The long-context variant of a listed model is the same model, and a listed variant stands for its model: clients take the
 * suffix off before they ask.
 */
export function mayCallModel(caller: Caller, requestedId: string, logicalId: string): boolean {
  return (
    isGivenModel(caller, logicalId) || isGivenModel(caller, requestedId) || isGivenModel(caller, `${logicalId}[1m]`)
  )
}

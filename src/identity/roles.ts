/** Decides whether a caller may use a route. */
import type { Caller } from '../domain/caller.ts'
import { problem } from '../domain/errors.ts'

/**
 * open: no credential. client: any valid credential (message routes). self-read: any valid credential, reading under /me.
 * person: a session or an identity-provider token. admin: a person whose role is admin. scim: a provisioning token.
 */
export type Access = 'open' | 'client' | 'self-read' | 'person' | 'admin' | 'scim'

export function requireAccess(access: Access, caller: Caller | undefined): void {
  if (access === 'open') return
  if (caller === undefined) throw problem('missing_credential')
  // Provisioning routes know their own tokens; nobody who got as far as here holds one.
  if (access === 'scim') throw problem('invalid_credential')
  if (access === 'client' || access === 'self-read') return
  // A key lies in files and build servers, so it never carries its owner's powers, admin or not.
  if (access === 'person' && caller.kind === 'key') throw problem('person_required')
  if (access === 'admin' && !isAdmin(caller)) throw problem('admin_required')
}

function isAdmin(caller: Caller): boolean {
  return caller.kind !== 'key' && caller.user.role === 'admin'
}

/** Who may call a route. Every route declares one where it is defined. */
export const accessLevels = ['open', 'client', 'self-read', 'person', 'admin', 'scim'] as const

/**
 * `open`: no credential · `client`: any valid credential, for the message routes · `self-read`: any valid credential,
 * for reading one's own things · `person`: a session or an identity-provider token · `admin`: such a person with the
 * admin role. A virtual key is never a person. · `scim`: the provisioning token of an identity provider, nothing else.
 */
export type Access = (typeof accessLevels)[number]

/**
 * What a person may see or do beside the role, without being an administrator. `team:lead`: the own team, and deciding what
 * its people ask for · `billing:read`: analytics, budgets and prices · `audit:read`: the audit trail, people, their sessions
 * and keys · `ops:operate`: health, the log, endpoints, models and the request log. None of them changes a setting, a person
 * or a key.
 */
export const grants = ['team:lead', 'billing:read', 'audit:read', 'ops:operate'] as const
export type Grant = (typeof grants)[number]

export function isGrant(value: string): value is Grant {
  return (grants as readonly string[]).includes(value)
}

/** Shows everything that a route answers; a lead's call is confined to one team, and declared apart for that. */
export type WideGrant = Exclude<Grant, 'team:lead'>

/** Who may call a route. */
export interface AccessRule {
  readonly access: Access
  /** With `admin`: a person with one of these may call it too. */
  readonly grants?: readonly WideGrant[] | undefined
  /** With `admin`: a lead may call it too, about the own team. */
  readonly isForLeads: boolean
}

/** The grants that open such a route to a person who is no administrator. */
export function openingGrants({ grants: wide = [], isForLeads }: AccessRule): readonly Grant[] {
  return isForLeads ? [...wide, 'team:lead'] : wide
}

/** How much of what a route answers this caller may see: all of it, or what belongs to one team. */
export type Reach = { readonly kind: 'all' } | { readonly kind: 'team'; readonly teamId: string }

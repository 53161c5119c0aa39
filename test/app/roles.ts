/** Whom a route lets in, of every kind of caller. */

export type Caller =
  | 'none'
  | 'garbage'
  | 'revoked key'
  | 'expired key'
  | 'key without user'
  | 'member key'
  | 'member session'
  | 'member token'
  | 'other-team member'
  | "admin's key"
  | 'admin session'
  | 'admin token'
  | 'expired session'
  | 'inactive admin'
  | 'team lead'
  | 'other-team lead'
  | 'lead of no team'
  | 'biller'
  | 'auditor'
  | 'operator'
  | 'key of somebody with every grant'
  | 'inactive with every grant'

export type Cell = 401 | 403 | 'in'
export type Row = Readonly<Record<Caller, Cell>>

const outsiders = {
  none: 401,
  garbage: 401,
  'revoked key': 401,
  'expired key': 401,
  'expired session': 401,
  'inactive admin': 403,
  'inactive with every grant': 403,
} as const

export const adminsOnly: Row = {
  ...outsiders,
  'key without user': 403,
  'member key': 403,
  'member session': 403,
  'member token': 403,
  'other-team member': 403,
  "admin's key": 403,
  'admin session': 'in',
  'admin token': 'in',
  'team lead': 403,
  'other-team lead': 403,
  'lead of no team': 403,
  biller: 403,
  auditor: 403,
  operator: 403,
  'key of somebody with every grant': 403,
}

export const forBilling: Row = { ...adminsOnly, biller: 'in' }
export const forAudit: Row = { ...adminsOnly, auditor: 'in' }
export const forOps: Row = { ...adminsOnly, operator: 'in' }
/** The team is in the path. */
export const forItsLead: Row = { ...adminsOnly, 'team lead': 'in' }
/** What belongs to the own team; that it is nothing else is seen in `grants.test.ts`. */
export const everyLead = { 'team lead': 'in', 'other-team lead': 'in' } as const

export const personsOnly: Row = {
  ...adminsOnly,
  'member session': 'in',
  'member token': 'in',
  'other-team member': 'in',
  ...everyLead,
  'lead of no team': 'in',
  biller: 'in',
  auditor: 'in',
  operator: 'in',
}

export const everybodyForThemself: Row = {
  ...personsOnly,
  'key without user': 'in',
  'member key': 'in',
  "admin's key": 'in',
  'key of somebody with every grant': 'in',
}

/** The errors of provisioning routes, which have a shape of their own (RFC 7644 3.12). */

import {
  ConflictError,
  DatabaseUnavailableError,
  MissingReferenceError,
} from '../../foundation/database/store-errors.ts'
import { Problem } from '../../foundation/domain/errors.ts'
import { defined } from '../../foundation/platform/defined.ts'

export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

export class ScimFailure extends Error {
  readonly status: number
  readonly scimType: ScimType | undefined

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail)
    this.name = 'ScimFailure'
    this.status = status
    this.scimType = scimType
  }
}

export function invalidValue(detail: string): ScimFailure {
  return new ScimFailure(400, detail, 'invalidValue')
}

export function notFound(what: string): ScimFailure {
  return new ScimFailure(404, `There is no ${what} with this id.`)
}

export function taken(detail: string): ScimFailure {
  return new ScimFailure(409, detail, 'uniqueness')
}

const takenBy = new Map([
  ['users_subject_unique', 'There is already a user with this userName.'],
  ['scim_users_external_unique', 'There is already a user with this externalId.'],
  ['scim_users_pkey', 'There is already a user with this userName.'],
  ['scim_groups_name_unique', 'There is already a group with this displayName.'],
  ['scim_groups_external_unique', 'There is already a group with this externalId.'],
])

/** The provider itself was deleted after its token had been looked at. */
const ownProvider = new Set(['scim_users_idp_id_fkey', 'scim_groups_idp_id_fkey'])

export function noToken(): ScimFailure {
  return new ScimFailure(401, 'Send a provisioning token of this gateway as "authorization: Bearer scim-...".')
}

/** Undefined for what should not happen: the caller logs it and tells nothing. */
export function toScimFailure(error: unknown): ScimFailure | undefined {
  if (error instanceof ScimFailure) return error
  if (error instanceof DatabaseUnavailableError)
    return new ScimFailure(503, 'The database does not answer. Nothing was changed; try again shortly.')
  if (error instanceof ConflictError) {
    const detail = takenBy.get(error.constraint)
    return detail === undefined ? undefined : taken(detail)
  }
  if (error instanceof MissingReferenceError && ownProvider.has(error.constraint)) return noToken()
  if (error instanceof Problem && error.code !== 'internal') return new ScimFailure(error.status, error.message)
  return undefined
}

export function failureBody(failure: ScimFailure): object {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(failure.status),
    ...defined({ scimType: failure.scimType }),
    detail: failure.message,
  }
}

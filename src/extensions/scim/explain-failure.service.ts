/** Which errors of the database and of the gateway a provisioning route answers, and how. */
import {
  ConflictError,
  DatabaseUnavailableError,
  MissingReferenceError,
} from '../../foundation/database/store-errors.ts'
import { Problem } from '../../foundation/domain/errors.ts'
import { noToken, ScimFailure, taken } from './scim-failure.ts'

const takenBy = new Map([
  ['users_subject_unique', 'There is already a user with this userName.'],
  ['scim_users_external_unique', 'There is already a user with this externalId.'],
  ['scim_users_pkey', 'There is already a user with this userName.'],
  ['scim_groups_name_unique', 'There is already a group with this displayName.'],
  ['scim_groups_external_unique', 'There is already a group with this externalId.'],
])

/** The provider itself was deleted after its token had been looked at. */
const ownProvider = new Set(['scim_users_idp_id_fkey', 'scim_groups_idp_id_fkey'])

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

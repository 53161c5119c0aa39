/** Turns what a store refuses into the public error that says what the caller can do about it. */

import { ConflictError, DatabaseUnavailableError, MissingReferenceError } from '../database/store-errors.ts'
import { invalidField, problem } from '../domain/errors.ts'

const takenBy = new Map([
  ['teams_name_unique', 'There is already a team with this name.'],
  ['endpoints_name_unique', 'There is already an endpoint with this name.'],
  ['users_subject_unique', 'There is already a user with this subject.'],
  ['users_identity_unique', 'Another user is already bound to this identity.'],
  [
    'budget_requests_open_unique',
    'You have asked already, and nobody has decided yet. Withdraw that request to ask for another amount.',
  ],
  ['idps_issuer_audience_unique', 'There is already an identity provider with this issuer and audience.'],
])

const bodyFieldOf = new Map([
  ['virtual_keys_user_id_fkey', { field: 'user_id', what: 'user' }],
  ['virtual_keys_team_id_fkey', { field: 'team_id', what: 'team' }],
  ['users_team_id_fkey', { field: 'team_id', what: 'team' }],
])

const pathSubjectOf = new Map([
  ['budgets_user_id_fkey', 'user'],
  ['budgets_team_id_fkey', 'team'],
  ['budget_top_ups_user_id_fkey', 'user'],
  ['budget_top_ups_team_id_fkey', 'team'],
  ['budget_requests_team_id_fkey', 'team'],
  ['managed_settings_team_id_fkey', 'team'],
  ['scim_settings_idp_id_fkey', 'identity provider'],
  ['scim_tokens_idp_id_fkey', 'identity provider'],
])

/** The caller, who was removed a moment ago, or signed in with the password before the database was there. */
const callerOf = new Set([
  'search_providers_user_id_fkey',
  'login_requests_user_id_fkey',
  'budget_requests_user_id_fkey',
])

/** Leaves every other error as it is: it is a mistake in the program and answers 500. */
export function toPublicError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError) return problem('database_unavailable', {}, { cause: error })
  if (error instanceof ConflictError) {
    const reason = takenBy.get(error.constraint)
    return reason === undefined ? error : problem('conflict', { reason }, { cause: error })
  }
  if (error instanceof MissingReferenceError) {
    if (callerOf.has(error.constraint)) return problem('invalid_credential', {}, { cause: error })
    const named = bodyFieldOf.get(error.constraint)
    if (named !== undefined) return invalidField(named.field, `There is no ${named.what} with this id.`, error)
    const what = pathSubjectOf.get(error.constraint)
    return what === undefined ? error : problem('not_found', { what }, { cause: error })
  }
  return error
}

/** The errors of provisioning routes, which have a shape of their own (RFC 7644 3.12). */

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

export function noToken(): ScimFailure {
  return new ScimFailure(401, 'Send a provisioning token of this gateway as "authorization: Bearer scim-...".')
}

export function failureBody(failure: ScimFailure): object {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(failure.status),
    ...defined({ scimType: failure.scimType }),
    detail: failure.message,
  }
}

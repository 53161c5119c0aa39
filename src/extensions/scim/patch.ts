/**
 * Patches as Entra and Okta send them (RFC 7644 3.5.2), taken apart into single steps.
 * Our own, because each step must fit the attributes that are kept here, and each refusal must name its SCIM error
 * type.
 */
import { type AttributePath, parsePath } from './attribute-path.ts'
import { readText, requireFields } from './json.fields.ts'
import { ScimFailure } from './scim-failure.ts'

export type PatchStep =
  | { readonly op: 'set'; readonly path: AttributePath; readonly value: unknown; readonly adds: boolean }
  | { readonly op: 'remove'; readonly path: AttributePath; readonly value: unknown }

const MAX_OPERATIONS = 1_000
const readOnly: readonly string[] = ['id', 'meta', 'groups', 'schemas']

export function readPatch(body: unknown): readonly PatchStep[] {
  const operations = requireFields(body, 'A patch').get('operations')
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS)
    throw new ScimFailure(400, `Operations must be a list of 1 to ${MAX_OPERATIONS} entries.`, 'invalidSyntax')
  return (operations as unknown[]).flatMap(readOperation)
}

function readOperation(operation: unknown): readonly PatchStep[] {
  const fields = requireFields(operation, 'An operation')
  const op = String(fields.get('op')).toLowerCase()
  const path = fields.get('path')
  const value = fields.get('value')
  if (op !== 'add' && op !== 'replace' && op !== 'remove')
    throw new ScimFailure(400, 'op must be add, replace or remove.', 'invalidSyntax')
  if (path !== undefined && path !== null && typeof path !== 'string')
    throw new ScimFailure(400, 'path must be a text.', 'invalidPath')
  if (typeof path !== 'string' || path.trim() === '' || isCoreSchema(path.trim())) {
    if (op === 'remove') throw new ScimFailure(400, 'A removal needs a path.', 'noTarget')
    return readSteps(value, op === 'add')
  }
  const parsed = parsePath(path)
  if (readOnly.includes(parsed.attribute))
    throw new ScimFailure(400, `${parsed.attribute} cannot be changed here.`, 'mutability')
  return [op === 'remove' ? { op, path: parsed, value } : { op: 'set', path: parsed, value, adds: op === 'add' }]
}

/** The name of the whole, in which some providers wrap what they change: passed over, a deactivation would be lost. */
function isCoreSchema(name: string): boolean {
  return /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group)$/i.test(name)
}

/** Without a path each name of the value is one, and may be a whole path. Read-only names are sent along by Okta. */
function readSteps(value: unknown, adds: boolean): readonly PatchStep[] {
  const fields = [...requireFields(value, 'The value of an operation without a path')]
  const attributes = fields.flatMap(([name, part]) =>
    isCoreSchema(name) ? [...requireFields(part, name)] : [[name, part] as const],
  )
  return attributes.flatMap(([name, part]) => {
    const path = parsePath(name)
    return readOnly.includes(path.attribute) ? [] : [{ op: 'set' as const, path, value: part, adds }]
  })
}

/** The text that a step leaves behind; null when it removes. */
export function textAfter(step: PatchStep, what: string, maxLength: number): string | null {
  return step.op === 'remove' ? null : readText(step.value, what, maxLength)
}

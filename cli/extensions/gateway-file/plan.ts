/** Decides what must change so that a gateway is what a file says. */
import { isDeepStrictEqual } from 'node:util'
import { shownAddress } from '../../../src/foundation/domain/shown-address.ts'
import { usageError } from '../../terminal/cli-error.ts'
import type { GatewayDocument } from './document.ts'
import { listResources, mentions, type Resource, type ResourceKind, resourceKinds, shownName } from './resources.ts'

export interface FieldChange {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

export interface AffectedTeam {
  readonly name: string
  readonly effect: 'stopped' | 'default_endpoint'
}

export interface Step {
  readonly action: 'create' | 'update' | 'delete'
  readonly kind: ResourceKind
  readonly name: string
  /** What differs; for a new one every field. */
  readonly changes: readonly FieldChange[]
  /** The whole wanted resource, with what the file leaves out as it is now; for a deletion the present one. */
  readonly resource: Resource
  /** For a step that disables or deletes an endpoint: its teams that have no enabled endpoint after the whole plan. */
  readonly affectedTeams?: readonly AffectedTeam[]
}

/** These are always there, or go with what they belong to. */
const neverDeleted: ReadonlySet<ResourceKind> = new Set([
  'search-provider',
  'setting',
  // Null takes these away: files that are older than the documents in files say nothing about them.
  'managed-settings',
  'team-managed-settings',
  'default-endpoint',
  // A file with the categories alone is older than destinations in files, and says nothing about them.
  'notification-destination',
  'notification-categories',
])

/** In the order in which they can be carried out: what others point to comes first, and goes last. */
export function planSteps(current: GatewayDocument, wanted: GatewayDocument, prune: boolean): readonly Step[] {
  requireModeOfProvider(current, wanted)
  requireOnce(listResources(wanted))
  const present = byKey(listResources(current))
  const described = byKey(listResources(wanted))
  const steps: Step[] = []
  for (const [key, written] of described) {
    const found = present.get(key)
    const resource = found === undefined ? written : withKeptAddress(found, withInnerFields(found, written))
    const changes = changesBetween(found, resource)
    if (found === undefined && isNothing(resource)) continue
    if (found === undefined)
      steps.push({ action: 'create', kind: resource.kind, name: resource.name, changes, resource })
    else if (changes.length > 0)
      steps.push({
        action: 'update',
        kind: resource.kind,
        name: resource.name,
        changes,
        resource: completed(found, resource),
      })
  }
  const gone = [...present.values()].filter(
    (resource) =>
      !described.has(toKey(resource)) && mentions(wanted, resource.kind) && !neverDeleted.has(resource.kind),
  )
  const deletions = gone.map(
    (resource): Step => ({ action: 'delete', kind: resource.kind, name: resource.name, changes: [], resource }),
  )
  return [
    ...steps.toSorted((a, b) => order(a) - order(b)),
    ...(prune ? deletions.toSorted((a, b) => order(b) - order(a)) : []),
  ]
}

/** In every other mode a gateway neither uses the provider of everybody nor shows it, and nothing could be compared. */
function requireModeOfProvider(current: GatewayDocument, wanted: GatewayDocument): void {
  if (wanted.search_provider === undefined) return
  const mode = wanted.settings?.['websearch_mode'] ?? current.settings?.['websearch_mode']
  if (mode !== 'global')
    throw usageError(
      `search_provider: it serves everybody in the mode global, and the mode is ${mode}`,
      'write "websearch_mode: global" under settings, or leave search_provider out',
    )
}

/** Of two that differ one would be left out without a word. */
function requireOnce(resources: readonly Resource[]): void {
  const [twice] = [...Map.groupBy(resources, toKey).values()].flatMap(([first, second]) =>
    second === undefined ? [] : [first],
  )
  if (twice === undefined) return
  const what = twice.kind === 'default-endpoint' ? 'a default endpoint' : `${twice.kind} ${shownName(twice.name)}`
  throw usageError(`the file has ${what} more than once`, 'leave one of them, or give each a name of its own')
}

/** The default endpoint cannot be disabled: whatever is, waits until the default is another. */
function order(step: Step): number {
  const isDisabled =
    step.kind === 'endpoint' && step.changes.some(({ field, to }) => field === 'enabled' && to === false)
  return isDisabled && step.action === 'update'
    ? resourceKinds.indexOf('default-endpoint') + 0.5
    : resourceKinds.indexOf(step.kind)
}

/** A team without endpoints of its own has no assignment that a gateway could show, and no document is none to take away. */
function isNothing({ kind, fields }: Resource): boolean {
  return (
    (kind === 'team-routing' && (fields['endpoints'] as readonly unknown[]).length === 0) ||
    ((kind === 'managed-settings' || kind === 'team-managed-settings') && fields['settings'] === null)
  )
}

/** What a file does not name counts as wanted as it is; an explicit null takes a value away. */
function changesBetween(found: Resource | undefined, wanted: Resource): readonly FieldChange[] {
  return Object.entries(wanted.fields)
    .filter(([field, value]) => value !== undefined && !isDeepStrictEqual(found?.fields[field] ?? null, value ?? null))
    .map(([field, to]) => ({ field, from: found?.fields[field] ?? null, to }))
}

/** A setting may be an object, such as `default_budget`, of which a file may leave fields out as of every other. */
function withInnerFields(found: Resource, wanted: Resource): Resource {
  const [from, to] = [found.fields['value'], wanted.fields['value']]
  return wanted.kind === 'setting' && isObject(from) && isObject(to)
    ? { ...wanted, fields: { value: { ...from, ...to } } }
    : wanted
}

/** An exported file has where a webhook is and no more: the address in force is meant when it is there. */
function withKeptAddress(found: Resource, wanted: Resource): Resource {
  const { destination } = found.fields
  const isKept =
    wanted.kind === 'notification-destination' &&
    typeof destination === 'string' &&
    wanted.fields['destination'] === shownAddress(destination)
  return isKept ? { ...wanted, fields: { ...wanted.fields, destination } } : wanted
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Most resources are replaced as a whole: a field that is not sent would fall back to its default. */
function completed(found: Resource, wanted: Resource): Resource {
  // The address and the key of one search engine are none of another.
  if (wanted.kind === 'search-provider' && wanted.fields['provider_type'] !== found.fields['provider_type'])
    return wanted
  return { ...wanted, fields: { ...found.fields, ...wanted.fields } }
}

function toKey({ kind, name }: Resource): string {
  return `${kind}/${name}`
}

function byKey(resources: readonly Resource[]): ReadonlyMap<string, Resource> {
  return new Map(resources.map((resource) => [toKey(resource), resource]))
}

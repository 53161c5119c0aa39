/**
 * Edits by field path. `tools.defer_loading` names the member in every element of `tools`: arrays need no sign of
 * their own, so a path here reads like the one in an error of the hosted service without its indexes. As there, a
 * segment may also be the `type` of an object: `messages.content.thinking.signature` is about blocks of thinking only.
 */
import type { JsonObject } from './json-spans.ts'
import { type JsonEdit, removeSpans, replaceSpan } from './json-spans-edit.ts'
import {
  isArrayAt,
  isObjectAt,
  isStringAt,
  membersAt,
  type NestedMember,
  objectsIn,
  readString,
} from './json-spans-read.ts'

export type FieldChange =
  | { readonly kind: 'remove' }
  | { readonly kind: 'rename'; readonly to: string }
  | { readonly kind: 'replace'; readonly json: string }

export interface FieldTree {
  readonly change: FieldChange | undefined
  readonly children: FieldRules
}

type FieldRules = ReadonlyMap<string, FieldTree>

interface GrowingTree {
  change: FieldChange | undefined
  readonly children: Map<string, GrowingTree>
}

/** Rules for nested fields; where one path leads into another, the shorter one counts. */
export function buildFieldTree(rules: Iterable<readonly [path: string, change: FieldChange]>): FieldTree {
  const root: GrowingTree = { change: undefined, children: new Map() }
  for (const [path, change] of rules) {
    let node = root
    for (const segment of path.split('.')) {
      let child = node.children.get(segment)
      if (child === undefined) node.children.set(segment, (child = { change: undefined, children: new Map() }))
      node = child
    }
    node.change = change
  }
  return root
}

export interface FieldEdits {
  readonly edits: readonly JsonEdit[]
  /** Members of the document that leave as a whole, by index: their removal is for the caller to merge with its own. */
  readonly leaving: ReadonlySet<number>
}

/** Changes inside the members of a document. A nested object that loses all its members goes too. */
export function fieldEdits(bytes: Buffer, document: JsonObject, tree: FieldTree): FieldEdits {
  const edits: JsonEdit[] = []
  const leaving = new Set<number>()
  for (const [index, member] of document.members.entries()) {
    const node = tree.children.get(member.key)
    if (node !== undefined && changeMember(bytes, member, node, edits) === 'leaves') leaving.add(index)
  }
  return { edits, leaving }
}

/** Whether the path leads to a member somewhere inside the value at `at`. */
export function hasFieldAt(bytes: Buffer, at: number, segments: readonly string[]): boolean {
  if (isArrayAt(bytes, at)) return objectsIn(bytes, at).some((start) => hasFieldAt(bytes, start, segments))
  const [next, ...rest] = segments
  const members = membersAt(bytes, at)
  return (
    members.some(({ key, valueStart }) => key === next && (rest.length === 0 || hasFieldAt(bytes, valueStart, rest))) ||
    (rest.length > 0 && isObjectAt(bytes, at) && readType(bytes, members) === next && hasFieldAt(bytes, at, rest))
  )
}

/** A tool that does not say its type is a custom one. */
const TYPE_OF_UNTYPED = 'custom'

function readType(bytes: Buffer, members: readonly NestedMember[]): string | undefined {
  const type = members.findLast(({ key }) => key === 'type')
  if (type === undefined) return TYPE_OF_UNTYPED
  return isStringAt(bytes, type.valueStart) ? readString(bytes, type.valueStart, type.end) : undefined
}

type Outcome = 'stays' | 'leaves'

function changeMember(bytes: Buffer, member: NestedMember, node: FieldTree, edits: JsonEdit[]): Outcome {
  const { change } = node
  if (change === undefined) return changeValue(bytes, member.valueStart, node, edits)
  if (change.kind === 'remove') return 'leaves'
  if (change.kind === 'rename') {
    edits.push(replaceSpan({ start: member.start, end: member.keyEnd }, JSON.stringify(change.to)))
  } else edits.push(replaceSpan({ start: member.valueStart, end: member.end }, change.json))
  return 'stays'
}

function changeValue(bytes: Buffer, at: number, node: FieldTree, edits: JsonEdit[]): Outcome {
  if (isObjectAt(bytes, at)) return changeObject(bytes, at, node, edits)
  if (isArrayAt(bytes, at)) for (const start of objectsIn(bytes, at)) changeElement(bytes, start, node, edits)
  return 'stays'
}

/** An element is never taken out of its array, even when nothing is left in it: its place may carry meaning. */
function changeElement(bytes: Buffer, at: number, node: FieldTree, edits: JsonEdit[]): void {
  if (changeObject(bytes, at, node, edits) === 'stays') return
  const members = membersAt(bytes, at)
  edits.push(...removeSpans(members, () => true))
}

function changeObject(bytes: Buffer, at: number, node: FieldTree, edits: JsonEdit[]): Outcome {
  const members = membersAt(bytes, at)
  const rules = rulesFor(readType(bytes, members), node)
  const leaving = new Set<number>()
  for (const [index, member] of members.entries()) {
    const child = rules.get(member.key)
    if (child !== undefined && changeMember(bytes, member, child, edits) === 'leaves') leaving.add(index)
  }
  if (leaving.size === 0) return 'stays'
  if (leaving.size === members.length) return 'leaves'
  edits.push(...removeSpans(members, (index) => leaving.has(index)))
  return 'stays'
}

function rulesFor(type: string | undefined, { children }: FieldTree): FieldRules {
  const ofType = type === undefined ? undefined : children.get(type)
  return ofType === undefined ? children : joinRules(children, ofType.children)
}

/** In one set, because the members that leave an object must be known together. */
function joinRules(one: FieldRules, other: FieldRules): FieldRules {
  const joined = new Map(one)
  for (const [segment, tree] of other) {
    const known = joined.get(segment)
    const both = known && { change: known.change ?? tree.change, children: joinRules(known.children, tree.children) }
    joined.set(segment, both ?? tree)
  }
  return joined
}

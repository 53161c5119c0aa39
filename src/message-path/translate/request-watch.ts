/** Which nested keys the scan of a request looks out for, so that most bodies need no second look inside. */
import {
  createKeyWatch,
  ESCAPED_KEY_MARK,
  type JsonMember,
  type JsonObject,
} from '../../foundation/platform/json-spans.ts'
import { hasFieldAt } from '../../foundation/platform/json-spans-fields.ts'
import { features } from './feature-table.ts'

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

const TYPED_TOOL = 'type of a tool'
const SEARCH_RESULT = 'key of a search result'

/** The last names of the paths in the table. They are looked for wherever they stand. */
const watchedKeys = new Set([
  ...features
    .flatMap((feature) => feature.fields)
    .filter((path) => path.includes('.'))
    .map(lastSegment),
  'tool_name',
])

/** Each has a bit of its own. */
const marks: ReadonlyMap<string, number> = new Map(
  [TYPED_TOOL, SEARCH_RESULT, ...watchedKeys].map((key, place) => [key, 1 << place]),
)
const findMark = (key: string): number => marks.get(key) ?? 0

/** Only a typed tool can be a server tool; plain ones have no `type`, while their schemas are full of it. */
const TYPED_TOOL_MARK = findMark(TYPED_TOOL)

/** Only results of a web search have these keys, found or failed. */
const SEARCH_RESULT_MARK = findMark(SEARCH_RESULT)

export const requestWatch = createKeyWatch([
  { name: 'type', mark: TYPED_TOOL_MARK, depth: 3 },
  { name: 'encrypted_content', mark: SEARCH_RESULT_MARK },
  { name: 'error_code', mark: SEARCH_RESULT_MARK },
  ...[...watchedKeys].map((name) => ({ name, mark: findMark(name) })),
])

/** The keys of a document with the marks of their values: what most questions about a request need. */
export function marksByKey(document: JsonObject): Map<string, number> {
  const found = new Map<string, number>()
  for (const { key, marks: inside } of document.members) found.set(key, (found.get(key) ?? 0) | inside)
  return found
}

interface WatchedBody {
  readonly bytes: Buffer
  readonly document: JsonObject
  readonly marksByKey: ReadonlyMap<string, number>
}

/**
 * Whether the path leads to a field. Under `messages` the answer may be a false yes, when only another field has the
 * same name: to be sure would cost as much as the edit, and an edit that finds nothing changes nothing.
 */
export function hasField(body: WatchedBody, path: string): boolean {
  return isThere(body, watchedPaths.get(path) ?? readPath(path))
}

function isThere(body: WatchedBody, watched: WatchedPath): boolean {
  return watched.top === 'messages' ? mayHold(body, watched) : isFound(body, watched)
}

/** The same for certain: for the few paths that were learned, of which most requests have none. */
export function surelyHasField(body: WatchedBody, path: string): boolean {
  return isFound(body, readPath(path))
}

function isFound(body: WatchedBody, watched: WatchedPath): boolean {
  if (!mayHold(body, watched)) return false
  const { top, rest } = watched
  if (rest.length === 0) return true
  return body.document.members.some(({ key, valueStart }) => key === top && hasFieldAt(body.bytes, valueStart, rest))
}

/** Paths under one key of the document. */
export interface WatchedGroup {
  readonly top: string
  /** Of all of them; 0 when one of them has none. */
  readonly marks: number
  readonly paths: readonly WatchedPath[]
}

/** Many paths share few keys: most groups are done with after one look. */
export function groupPaths(paths: readonly string[]): readonly WatchedGroup[] {
  const groups = Map.groupBy(paths.map(readPath), ({ top }) => top)
  return [...groups].map(([top, watched]) => ({
    top,
    marks: watched.some(({ mark }) => mark === 0) ? 0 : watched.reduce((all, { mark }) => all | mark, 0),
    paths: watched,
  }))
}

export function hasAnyField(body: WatchedBody, groups: readonly WatchedGroup[]): boolean {
  for (const { top, marks: wanted, paths } of groups) {
    const found = body.marksByKey.get(top)
    if (found === undefined || (wanted !== 0 && (found & (wanted | ESCAPED_KEY_MARK)) === 0)) continue
    for (const path of paths) if (isThere(body, path)) return true
  }
  return false
}

/** False only when the path certainly leads nowhere in this document. */
export function mayContain(body: WatchedBody, path: string): boolean {
  return mayHold(body, watchedPaths.get(path) ?? readPath(path))
}

function mayHold(body: WatchedBody, { top, mark }: WatchedPath): boolean {
  const found = body.marksByKey.get(top)
  return found !== undefined && (mark === 0 || (found & (mark | ESCAPED_KEY_MARK)) !== 0)
}

export interface WatchedPath {
  readonly top: string
  readonly rest: readonly string[]
  /** 0 when the scan does not look out for the last segment. */
  readonly mark: number
}

function readPath(path: string): WatchedPath {
  const [top = '', ...rest] = path.split('.')
  return { top, rest, mark: rest.length === 0 ? 0 : findMark(lastSegment(path)) }
}

/** The table's own paths, taken apart once. */
const watchedPaths = new Map(features.flatMap((feature) => feature.fields).map((path) => [path, readPath(path)]))

export function mayHaveTypedTools(tools: JsonMember): boolean {
  return (tools.marks & (TYPED_TOOL_MARK | ESCAPED_KEY_MARK)) !== 0
}

/** Whether the conversation tells of searches in earlier turns. May be a false yes. */
export function mayHaveSearchHistory(body: Pick<WatchedBody, 'marksByKey'>): boolean {
  return ((body.marksByKey.get('messages') ?? 0) & SEARCH_RESULT_MARK) !== 0
}

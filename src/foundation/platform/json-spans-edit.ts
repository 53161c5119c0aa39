/** Changes to a document as a list of edits on its bytes; what no edit names is passed on uncopied. */
import type { JsonSpan } from './json-spans.ts'

/** Puts `replacement` in the place of `bytes[start, end)`; an empty span inserts, an empty replacement removes. */
export interface JsonEdit extends JsonSpan {
  readonly replacement: Buffer
}

const nothing = Buffer.alloc(0)

export function replaceSpan(span: JsonSpan, json: string | Buffer): JsonEdit {
  return { start: span.start, end: span.end, replacement: typeof json === 'string' ? Buffer.from(json) : json }
}

export function insertAt(at: number, json: string | Buffer): JsonEdit {
  return replaceSpan({ start: at, end: at }, json)
}

/**
 * Takes members or elements out of their container together with the right commas. All that leave one container must
 * be named in one call: the comma that goes depends on what stays.
 */
export function removeSpans(siblings: readonly JsonSpan[], leaves: (index: number) => boolean): JsonEdit[] {
  const edits: JsonEdit[] = []
  for (let first = 0; first < siblings.length; first++) {
    if (!leaves(first)) continue
    let last = first
    while (last + 1 < siblings.length && leaves(last + 1)) last++
    const before = siblings[first - 1]
    const after = siblings[last + 1]
    const start = before?.end ?? siblings[first]?.start ?? 0
    const end = before === undefined && after !== undefined ? after.start : (siblings[last]?.end ?? start)
    edits.push({ start, end, replacement: nothing })
    first = last
  }
  return edits
}

/** Edits in document order, without those that lie inside a bigger one. */
function orderEdits(edits: readonly JsonEdit[]): JsonEdit[] {
  const sorted = isOrdered(edits) ? edits : edits.toSorted(byPlace)
  const kept: JsonEdit[] = []
  let covered = 0
  for (const edit of sorted) {
    if (edit.start < covered) {
      if (edit.end > covered) throw new Error('edits overlap')
      continue
    }
    kept.push(edit)
    covered = edit.end
  }
  return kept
}

function byPlace(a: JsonEdit, b: JsonEdit): number {
  return a.start - b.start || insertsFirst(a, b) || b.end - a.end
}

/** Most edits are made from the beginning to the end. */
function isOrdered(edits: readonly JsonEdit[]): boolean {
  let before: JsonEdit | undefined
  for (const edit of edits) {
    if (before !== undefined && byPlace(before, edit) > 0) return false
    before = edit
  }
  return true
}

/** An insertion at the place where a removal begins is not inside the removal. */
function insertsFirst(a: JsonEdit, b: JsonEdit): number {
  return Number(a.start !== a.end) - Number(b.start !== b.end)
}

/** The edited document in pieces; untouched pieces are views of `bytes`. */
export function applyEdits(bytes: Buffer, edits: readonly JsonEdit[]): Buffer[] {
  const pieces: Buffer[] = []
  let from = 0
  for (const edit of orderEdits(edits)) {
    if (edit.start > from) pieces.push(bytes.subarray(from, edit.start))
    if (edit.replacement.length > 0) pieces.push(edit.replacement)
    from = edit.end
  }
  if (from < bytes.length) pieces.push(bytes.subarray(from))
  return pieces
}

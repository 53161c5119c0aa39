/** Decides which fields of a record differ, for two records of any shape. */
export interface FieldChange {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

export function listChanges(before: unknown, after: unknown): readonly FieldChange[] {
  const [old, now] = [toRecord(before), toRecord(after)]
  const fields = new Set([...Object.keys(old), ...Object.keys(now)])
  return [...fields]
    .map((field) => ({ field, before: old[field], after: now[field] }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (value === null || value === undefined) return {}
  return typeof value === 'object' ? (value as Record<string, unknown>) : { value }
}

export function shown(value: unknown): string {
  if (value === undefined) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

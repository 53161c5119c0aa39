/** Finds the mapping of a dated alias (`claude-x-9-20270101`) under its undated name, by equality of that name. */
import type { ModelMapping } from '../../foundation/domain/model-mapping.ts'

/** A real calendar date at the end; other eight-digit endings are part of the name. */
const datedPattern = /^(.+)-(20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))$/
/** The date of a hosted model, which stands at the end of its name or before its version. */
const hostedDatePattern = /-(20\d{6})(?:-v\d+(?::[0-9a-z]+)*)?$/

/**
 * The other direction needs no rule: undated names of dated models are rows of their own in the seed. Dropping the date
 * only when a full version remains keeps `claude-20270101` from meaning any model. A hosted model with a date of its own is
 * one snapshot: another date means another model, which is for discovery to find.
 */
export function findByDatedAlias(
  logicalId: string,
  findMapping: (id: string) => ModelMapping | undefined,
): ModelMapping | undefined {
  const dated = splitDatedName(logicalId)
  if (dated === undefined) return undefined
  const mapping = findMapping(dated.undatedId)
  const hostedDate = mapping && hostedDatePattern.exec(mapping.hostedModelId)?.[1]
  return hostedDate === undefined || hostedDate === dated.date ? mapping : undefined
}

/** Amazon Bedrock might have the dated model itself, so discovery runs for such a name before its alias is used. */
export function isDatedName(logicalId: string): boolean {
  return splitDatedName(logicalId) !== undefined
}

interface DatedName {
  readonly undatedId: string
  readonly date: string
}

function splitDatedName(logicalId: string): DatedName | undefined {
  const [, undatedId, date] = datedPattern.exec(logicalId) ?? []
  if (undatedId === undefined || date === undefined || !namesFullVersion(undatedId)) return undefined
  return { undatedId, date }
}

const namePattern = /^[a-z0-9]+(?:[-:][a-z0-9]+)*$/
const wordPattern = /^[a-z]+$/
const versionPattern = /^\d{1,2}$/
/** Without the vendor's own first word, a family must be long enough not to be met by chance. */
const SHORTEST_FAMILY = 3

/** `claude` says nothing about the family; `claude-opus` and `claude-mythos-preview` do. */
export function namesFamily(clientId: string): boolean {
  if (!namePattern.test(clientId)) return false
  const words = clientId.split('-')
  const shortest = words[0] === 'claude' ? 1 : SHORTEST_FAMILY
  return (
    words.length > 1 && words.some((word) => word !== 'claude' && word.length >= shortest && wordPattern.test(word))
  )
}

/** A family and a version number. `claude-sonnet` or `4-5` would fit several models. */
export function namesFullVersion(clientId: string): boolean {
  return namesFamily(clientId) && clientId.split('-').some((word) => versionPattern.test(word))
}

export interface SplitId {
  readonly logicalId: string
  readonly longContext: boolean
}

const SUFFIX_LENGTH = '[1m]'.length

export function splitContextSuffix(requestedId: string): SplitId {
  // Clients compare without regard to case, so both spellings are in use.
  return requestedId.endsWith('[1m]') || requestedId.endsWith('[1M]')
    ? { logicalId: requestedId.slice(0, -SUFFIX_LENGTH), longContext: true }
    : { logicalId: requestedId, longContext: false }
}

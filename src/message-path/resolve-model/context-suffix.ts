/** Takes the `[1m]` suffix off a requested id: it asks for the long-context beta and is no part of the model's name. */

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

/** Finds what a request offers as its credential, in the order in which it is tried. */

export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** Longer values are never looked at. Providers put up to two hundred groups of a person into a token, which makes 12 KiB. */
export const MAX_CREDENTIAL_LENGTH = 16_384

const BEARER = 'bearer'

/** Authorization first. Empty values count as absent: the client sends them when its key helper has failed. */
export function readCredentials(headers: RequestHeaders): readonly string[] {
  const bearer = readBearer(single(headers['authorization']))
  const apiKey = single(headers['x-api-key'])?.trim() || undefined
  if (bearer === undefined) return apiKey === undefined ? [] : [apiKey]
  // A key helper's value comes in both headers; trying it once is enough.
  return apiKey === undefined || apiKey === bearer ? [bearer] : [bearer, apiKey]
}

function readBearer(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  if (text.length <= BEARER.length || text.slice(0, BEARER.length).toLowerCase() !== BEARER) return undefined
  const gap = text.charCodeAt(BEARER.length)
  if (gap !== 32 && gap !== 9) return undefined
  return text.slice(BEARER.length + 1).trim() || undefined
}

/** A header sent twice is ambiguous; Node joins or drops most of them, and lists of the rest are refused here. */
function single(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value === 'string' || value === undefined) return value
  return value.length === 1 ? value[0] : undefined
}

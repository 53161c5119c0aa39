/**
 * Reads a compact JWT without believing it: enough to tell whose key should have signed it, and to refuse oddities
 * early.
 * Tokens are verified by `jose`. This check is ours because it refuses second spellings, `crit` and `b64` before any
 * key is looked up.
 */

export interface UnverifiedJwt {
  readonly kid: string | undefined
  readonly issuer: string
  readonly audiences: readonly string[]
  readonly expiresAtSeconds: number
}

const segments = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/
/** The largest time that a Date can hold; beyond it `exp` means "never", which we do not accept. */
const MAX_TIME_SECONDS = 8.64e12
/** A byte-order mark stays in the text, where it makes the JSON invalid. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Undefined for everything but an RS256 token with an issuer and an expiry. `jku`, `x5u` and `jwk` in the header are not
 * looked at: keys come from the configured provider only. `crit` and `b64` change how a token is read, so they are refused.
 */
export function findUnverifiedJwt(token: string): UnverifiedJwt | undefined {
  if (!segments.test(token)) return undefined
  const [headerText = '', payloadText = '', signature = ''] = token.split('.')
  // The last character has spare bits; one token must not have several spellings.
  if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) return undefined
  const header = findJsonObject(headerText)
  const payload = findJsonObject(payloadText)
  if (header === undefined || payload === undefined) return undefined
  if (header['alg'] !== 'RS256' || Object.hasOwn(header, 'crit') || Object.hasOwn(header, 'b64')) return undefined
  const { kid } = header
  const { iss, aud, exp } = payload
  if (kid !== undefined && typeof kid !== 'string') return undefined
  if (typeof iss !== 'string' || typeof exp !== 'number' || exp > MAX_TIME_SECONDS) return undefined
  return { kid, issuer: iss, audiences: toAudiences(aud), expiresAtSeconds: exp }
}

function toAudiences(aud: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  return list.filter((member): member is string => typeof member === 'string')
}

/** A name given twice is refused: two readers of the same token could otherwise see two different people. */
function findJsonObject(segment: string): Record<string, unknown> | undefined {
  try {
    const text = decoder.decode(Buffer.from(segment, 'base64url'))
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return countTopLevelNames(text) === Object.keys(value).length ? (value as Record<string, unknown>) : undefined
  } catch {
    // Not JSON or not UTF-8: not a token.
    return undefined
  }
}

/** Counts the colons at depth one, outside strings; the text is known to be valid JSON. */
function countTopLevelNames(text: string): number {
  let depth = 0
  let names = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (inString) {
      if (char === '\\') at += 1
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    else if (char === ':' && depth === 1) names += 1
  }
  return names
}

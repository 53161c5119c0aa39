/** Search providers as the wire writes them, everybody's and a person's own. The key goes in and never comes out. */
import { z } from 'zod'
import { invalidField, problem } from '../../foundation/domain/errors.ts'
import { shownAddress } from '../../foundation/domain/shown-address.ts'
import {
  clampMaxResults,
  DEFAULT_SEARCH_RESULTS,
  isSearchProviderType,
  needsApiKey,
  needsApiUrl,
  type SearchProvider,
  searchKeyContext,
  searchProviderTypes,
} from '../../foundation/domain/web-search.ts'
import { UnreadableSecretError } from '../../foundation/platform/secret-box.ts'
import type { SearchProviderRecord } from './search-providers.store.ts'
import type { WebSearchPorts } from './web-search-ports.ts'

const printable = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not have control characters')

/** A header value: anything else could not be sent. */
const apiKey = printable(1_024).regex(/^[\x21-\x7e]+$/, 'must have visible ASCII characters only')

export const providerBody = z.strictObject({
  provider_type: z.enum(searchProviderTypes, { error: `must be one of ${searchProviderTypes.join(', ')}` }),
  api_key: apiKey.nullable().optional(),
  api_url: printable(2_048).nullable().optional(),
  max_results: z.int().transform(clampMaxResults).optional().meta({ description: 'Clamped to 1 to 20; default 10.' }),
})
export type ProviderBody = z.infer<typeof providerBody>

export const providerSchema = z.object({
  provider_type: z.enum(searchProviderTypes),
  api_url: z.string().nullable(),
  max_results: z.int(),
  has_api_key: z.boolean(),
  updated_at: z.iso.datetime(),
})

/** Undefined for a row that a newer release has written. */
export function findProviderBody(record: SearchProviderRecord | undefined): z.infer<typeof providerSchema> | undefined {
  if (record === undefined || !isSearchProviderType(record.providerType)) return undefined
  return {
    provider_type: record.providerType,
    api_url: record.apiUrl,
    max_results: record.maxResults,
    has_api_key: record.apiKey !== null,
    updated_at: record.updatedAt,
  }
}

/** For the audit trail: the key of an engine may well stand in its address. */
export function findAuditedProvider(record: SearchProviderRecord | undefined) {
  const body = findProviderBody(record)
  return body === undefined || body.api_url === null ? body : { ...body, api_url: shownAddress(body.api_url) }
}

type Stored = SearchProviderRecord | undefined
type FieldPorts = Pick<WebSearchPorts, 'checkUrl' | 'checkOwnUrl' | 'encryptSecret' | 'decryptSecret'>

/** spec: Errors 5. `path` leads to the provider in the body, such as `provider.`. */
export function requireProvider(
  ports: FieldPorts,
  body: ProviderBody,
  owner: { readonly userId: string | null; readonly stored: Stored },
  path = '',
): Omit<SearchProviderRecord, 'updatedAt'> {
  const { provider_type: type, max_results: maxResults = DEFAULT_SEARCH_RESULTS } = body
  const apiUrl = body.api_url ?? null
  if (needsApiUrl(type) && apiUrl === null) throw invalidField(`${path}api_url`, `${type} needs an api_url`)
  const check = owner.userId === null ? ports.checkUrl : ports.checkOwnUrl
  const refused = apiUrl === null ? undefined : check(apiUrl)
  if (refused !== undefined) throw invalidField(`${path}api_url`, refused)
  const sealed =
    typeof body.api_key === 'string'
      ? ports.encryptSecret(body.api_key, searchKeyContext(owner.userId))
      : keptKey(body, owner.stored)
  if (needsApiKey(type) && sealed === null) throw invalidField(`${path}api_key`, `${type} needs an api_key`)
  return { userId: owner.userId, providerType: type, apiKey: sealed, apiUrl, maxResults }
}

/** A key that was not sent again stays with the engine and the address that it was stored for, and goes to no other. */
function keptKey(body: ProviderBody, stored: Stored): Buffer | null {
  if (body.api_key === null || stored === undefined) return null
  const isSame = stored.providerType === body.provider_type && stored.apiUrl === (body.api_url ?? null)
  return isSame ? stored.apiKey : null
}

export function openProvider(
  ports: Pick<WebSearchPorts, 'decryptSecret'>,
  record: Omit<SearchProviderRecord, 'updatedAt'>,
): SearchProvider | undefined {
  const { providerType: type, apiKey: sealed, apiUrl, maxResults, userId } = record
  if (!isSearchProviderType(type)) return undefined
  const apiKey = sealed === null ? null : openKey(ports, sealed, userId)
  return { type, apiKey, apiUrl, maxResults, isOwn: userId !== null }
}

function openKey(ports: Pick<WebSearchPorts, 'decryptSecret'>, sealed: Buffer, userId: string | null): string {
  try {
    return ports.decryptSecret(sealed, searchKeyContext(userId))
  } catch (error) {
    if (!(error instanceof UnreadableSecretError)) throw error
    const reason = 'The stored api_key was sealed with another SECRET_KEY. Store it again.'
    throw problem('conflict', { reason }, { cause: error })
  }
}

export const testBody = z
  .strictObject({ ...providerBody.partial().shape, query: printable(200).optional() })
  .superRefine((body, issues) => {
    const { provider_type: type, query: _, ...rest } = body
    // Else what is stored would be tested, and its success taken for that of the key or the address in the body.
    if (type === undefined && Object.values(rest).some((value) => value !== undefined))
      issues.addIssue({ code: 'custom', path: ['provider_type'], message: 'is needed with the other fields' })
  })
  .optional()
  .meta({ description: 'Without `provider_type` what is stored is tested.' })
export type TestBody = z.infer<typeof testBody>

export const testSchema = z.object({
  success: z.boolean(),
  provider_type: z.enum(searchProviderTypes),
  result_count: z.int(),
  error: z.string().nullable(),
  duration_ms: z.int(),
})

/** Says how many results came and nothing of what they say: else the gateway would read any address for anybody. */
export async function trySearch(
  ports: Pick<WebSearchPorts, 'search' | 'clock'>,
  provider: SearchProvider,
  text = 'weather today',
): Promise<z.infer<typeof testSchema>> {
  const startedMs = ports.clock.monotonicMs()
  const outcome = await ports.search(provider, { text, allowedDomains: [], blockedDomains: [], location: null })
  const found = outcome.kind === 'found' ? outcome.hits.length : 0
  return {
    success: found > 0,
    provider_type: provider.type,
    result_count: found,
    error: outcome.kind === 'failed' ? outcome.message : found > 0 ? null : 'The search engine found nothing.',
    duration_ms: Math.round(ports.clock.monotonicMs() - startedMs),
  }
}

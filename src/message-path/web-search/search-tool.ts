/** Reads the web search tool of a request, and decides which ordinary tool stands in its place. */
import { invalidField } from '../../foundation/domain/errors.ts'
import type { SearchLocation } from '../../foundation/domain/web-search.ts'
import type { JsonSpan } from '../../foundation/platform/json-spans.ts'

export interface SearchTool {
  /** Null when the client sets no limit. */
  readonly maxUses: number | null
  readonly allowedDomains: readonly string[]
  readonly blockedDomains: readonly string[]
  readonly location: SearchLocation | null
  /** The tool that the hosted model is given; the gateway answers its calls. */
  readonly json: string
}

/** The Messages form allows no other. */
export const SEARCH_TOOL_NAME = 'web_search'

/** Later versions of the tool only add to the first one. */
export function isSearchToolType(type: string): boolean {
  return type.startsWith('web_search_')
}

type Fields = Readonly<Record<string, unknown>>

export function requireSearchTool(bytes: Buffer, span: JsonSpan, index: number): SearchTool {
  const fields = parseTool(bytes.toString('utf8', span.start, span.end), index)
  const invalid = (name: string, reason: string) =>
    invalidField(`tools.${index}.${String(fields['type'])}.${name}`, reason)
  const domains = (name: string): readonly string[] => {
    const value = fields[name] ?? []
    if (!Array.isArray(value) || value.some((one) => typeof one !== 'string'))
      throw invalid(name, 'Input should be a list of domains')
    return value as string[]
  }
  const maxUses = fields['max_uses'] ?? null
  if (maxUses !== null && !(typeof maxUses === 'number' && Number.isInteger(maxUses) && maxUses > 0))
    throw invalid('max_uses', 'Input should be an integer greater than 0')
  const allowedDomains = domains('allowed_domains')
  const blockedDomains = domains('blocked_domains')
  if (allowedDomains.length > 0 && blockedDomains.length > 0)
    throw invalid('allowed_domains', 'Only one of allowed_domains and blocked_domains may be given')
  const location = readLocation(fields['user_location'])
  const tool = { maxUses, allowedDomains, blockedDomains, location }
  return { ...tool, json: buildReplacement(tool, fields) }
}

function parseTool(text: string, index: number): Fields {
  try {
    return JSON.parse(text) as Fields
  } catch (cause) {
    throw invalidField(`tools.${index}`, 'a string has a wrong escape', cause)
  }
}

function readLocation(value: unknown): SearchLocation | null {
  if (typeof value !== 'object' || value === null) return null
  const text = (name: string): string | null => {
    const part = (value as Fields)[name]
    return typeof part === 'string' && part.trim() !== '' ? part.trim().slice(0, 100) : null
  }
  return { city: text('city'), region: text('region'), country: text('country') }
}

const DESCRIPTION =
  'Searches the web and gives titles, addresses and excerpts of pages that match. Use it for recent events and for anything that may have changed since you were trained.'

function buildReplacement(tool: Omit<SearchTool, 'json'>, fields: Fields): string {
  return JSON.stringify({
    name: SEARCH_TOOL_NAME,
    description: [DESCRIPTION, ...listHints(tool)].join(' '),
    input_schema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'What to search for.' } },
      required: ['query'],
    },
    // What the client says about caching and loading is about its place in the list, whatever the tool.
    ...(fields['cache_control'] == null ? {} : { cache_control: fields['cache_control'] }),
    ...(fields['defer_loading'] === true ? { defer_loading: true } : {}),
  })
}

const MAX_NAMED_DOMAINS = 20

function listHints({ allowedDomains, blockedDomains, location }: Omit<SearchTool, 'json'>): string[] {
  const place = [location?.city, location?.region, location?.country].filter((part) => part != null).join(', ')
  const named = (domains: readonly string[]) => domains.slice(0, MAX_NAMED_DOMAINS).join(', ')
  return [
    ...(allowedDomains.length === 0 ? [] : [`Only pages of these sites are found: ${named(allowedDomains)}.`]),
    ...(blockedDomains.length === 0 ? [] : [`Pages of these sites are never found: ${named(blockedDomains)}.`]),
    ...(place === '' ? [] : [`The user is near ${place}.`]),
  ]
}

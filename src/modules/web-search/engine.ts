/** What every search engine brings: its address, how it is asked, and how its answer is read. */
import type { SearchHit, SearchProvider, SearchQuery } from '../../foundation/domain/web-search.ts'
import type { OutgoingAnswer, OutgoingRequest } from '../../foundation/platform/outgoing-http.ts'
import { type Domain, readDomains } from './domains.ts'

export interface EngineCall extends OutgoingRequest {
  readonly url: string
}

export interface Engine {
  /** `count` is how many results to ask for. */
  readonly toCall: (provider: SearchProvider, query: SearchQuery, count: number) => EngineCall
  /** Undefined when the answer makes no sense. */
  readonly readHits: (answer: OutgoingAnswer) => readonly SearchHit[] | undefined
  /** For engines that refuse with a page instead of a status. */
  readonly isRefusal?: (answer: OutgoingAnswer) => boolean
}

export function jsonCall(url: string, headers: Readonly<Record<string, string>>, body: object): EngineCall {
  return {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(body),
  }
}

export function bearer(apiKey: string | null): Readonly<Record<string, string>> {
  return apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }
}

/** Where to look in a list of results, first match wins. */
export interface HitFields {
  readonly url: readonly string[]
  readonly text: readonly string[]
  readonly pageAge: readonly string[]
}

export function readJson({ body }: OutgoingAnswer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    // failure-modes: search engine away. No JSON is no answer.
    return undefined
  }
}

export function toHits(list: unknown, fields: HitFields): readonly SearchHit[] | undefined {
  if (!Array.isArray(list)) return undefined
  return list.flatMap((item: unknown) => {
    if (typeof item !== 'object' || item === null) return []
    const record = item as Readonly<Record<string, unknown>>
    const url = firstText(record, fields.url)
    if (url === null) return []
    const pageAge = firstText(record, fields.pageAge)
    return [{ url, title: firstText(record, ['title']) ?? '', text: firstText(record, fields.text) ?? '', pageAge }]
  })
}

function firstText(record: Readonly<Record<string, unknown>>, names: readonly string[]): string | null {
  for (const name of names) {
    const value = record[name]
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return null
}

export function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}

/** Longer lists would make a query that no engine takes; results are filtered in any case. */
const MAX_SITES = 10

/** For engines that know the operator: they look in the right place instead of everywhere and being filtered. */
export function withSites({ text, ...domains }: SearchQuery): string {
  const allowed = readDomains(domains.allowedDomains.length > MAX_SITES ? [] : domains.allowedDomains)
  // Without its wildcard a blocked one would hide more than it means.
  const blocked = readDomains(domains.blockedDomains).filter(({ path }) => !path.includes('*'))
  const inside = allowed.map((domain) => `site:${toSite(domain)}`)
  const outside = blocked.slice(0, MAX_SITES).map((domain) => `-site:${toSite(domain)}`)
  const wanted = inside.length > 1 ? `(${inside.join(' OR ')})` : inside.join('')
  return [text, wanted, ...outside].filter((part) => part !== '').join(' ')
}

function toSite({ host, path }: Domain): string {
  return `${host}${path.replace(/\/?\*.*$/, '').replace(/\/$/, '')}`
}

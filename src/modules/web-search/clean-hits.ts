/** Decides which results are handed on: real addresses, allowed domains, each once, of a sensible size. */
import type { SearchHit, SearchQuery } from '../../foundation/domain/web-search.ts'
import { bareHost, readDomain } from './domains.ts'

const MAX_URL_CHARACTERS = 2_048
const MAX_TITLE_CHARACTERS = 300
const MAX_TEXT_CHARACTERS = 4_000
const MAX_AGE_CHARACTERS = 100

type Domains = Pick<SearchQuery, 'allowedDomains' | 'blockedDomains'>

export function cleanHits(found: readonly SearchHit[], domains: Domains, count: number): readonly SearchHit[] {
  const kept = new Map<string, SearchHit>()
  for (const hit of found) {
    const url = findUrl(hit.url)
    if (url === undefined || kept.has(url.href) || !isWanted(url, domains)) continue
    kept.set(url.href, {
      url: url.href,
      title: cut(oneLine(hit.title), MAX_TITLE_CHARACTERS) || url.hostname,
      text: cut(oneLine(hit.text), MAX_TEXT_CHARACTERS),
      pageAge: hit.pageAge === null ? null : cut(oneLine(hit.pageAge), MAX_AGE_CHARACTERS),
    })
    if (kept.size === count) break
  }
  return [...kept.values()]
}

function findUrl(text: string): URL | undefined {
  if (text.length > MAX_URL_CHARACTERS || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
}

function isWanted(url: URL, { allowedDomains, blockedDomains }: Domains): boolean {
  if (blockedDomains.some((domain) => isWithin(url, domain))) return false
  return allowedDomains.length === 0 || allowedDomains.some((domain) => isWithin(url, domain))
}

/** A domain covers its subdomains; with a path, only what lies under it. One `*` in the path stands for anything. */
export function isWithin(url: URL, domain: string): boolean {
  const wanted = readDomain(domain)
  if (wanted === undefined) return false
  const host = bareHost(url)
  if (host !== wanted.host && !host.endsWith(`.${wanted.host}`)) return false
  const [before = '', after] = wanted.path.split('*')
  if (after === undefined) return isUnder(url.pathname, before.replace(/\/$/, ''))
  return url.pathname.startsWith(before) && url.pathname.indexOf(after, before.length) >= 0
}

function isUnder(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Between code points: half a surrogate pair cannot travel as UTF-8. */
function cut(text: string, maxCharacters: number): string {
  const short = text.length <= maxCharacters ? text : text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '')
  return short.toWellFormed()
}

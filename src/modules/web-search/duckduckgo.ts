/**
 * DuckDuckGo through its page for browsers without scripts: no key, no contract, read with care.
 * Only a few marks of the page are looked for; a parser for HTML would be larger.
 */
import { publicSearchUrls, type SearchHit } from '../../foundation/domain/web-search.ts'
import { type Engine, withSites } from './engine.ts'
import { textOfHtml } from './html-text.ts'
import { findRegion } from './regions.ts'

const PUBLIC_URL = publicSearchUrls.duckduckgo
const TITLE_MARK = 'class="result__a"'
const SNIPPET_MARK = 'class="result__snippet"'
const ADVERT = /\bresult--ad\b/

export const duckDuckGo: Engine = {
  toCall: ({ apiUrl }, query) => {
    const url = new URL(apiUrl ?? PUBLIC_URL)
    url.searchParams.set('q', withSites(query))
    const region = findRegion(query.location)
    if (region !== undefined) url.searchParams.set('kl', `${region.place}-${region.language}`)
    // The page is refused to clients that name no browser.
    return { url: url.href, headers: { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (compatible; causeway)' } }
  },
  // Too many questions are answered with 202 and a riddle.
  isRefusal: ({ status, body }) => status === 202 || (!body.includes(TITLE_MARK) && body.includes('anomaly-modal')),
  readHits: ({ body }) => {
    const page = body.toString('utf8')
    if (page.includes(TITLE_MARK)) return hitsIn(page)
    // An empty list has a page of its own; anything else is not what we know how to read.
    return page.includes('no-results') || page.includes('id="links"') ? [] : undefined
  },
}

/** By searching for fixed marks only: a hostile page of a megabyte costs no more than reading it. */
function hitsIn(page: string): readonly SearchHit[] {
  const hits: SearchHit[] = []
  const [before = '', ...parts] = page.split(TITLE_MARK)
  let lead = before
  for (const part of parts) {
    const isAdvert = ADVERT.test(lead.slice(lead.lastIndexOf('<div class="result ')))
    const tagStart = lead.slice(lead.lastIndexOf('<a'))
    const url = readTarget(readAttribute(part, 'href') ?? readAttribute(tagStart, 'href'))
    if (url !== undefined && !isAdvert) {
      const snippet = part.indexOf(SNIPPET_MARK)
      const text = snippet < 0 ? '' : readInside(part.slice(snippet))
      hits.push({ url, title: readInside(part), text, pageAge: null })
    }
    lead = part
  }
  return hits
}

function readAttribute(tag: string, name: string): string | undefined {
  const end = tag.indexOf('>')
  const head = end < 0 ? tag : tag.slice(0, end)
  const at = head.indexOf(`${name}="`)
  if (at < 0) return undefined
  const start = at + name.length + 2
  const stop = head.indexOf('"', start)
  return stop < 0 ? undefined : textOfHtml(head.slice(start, stop))
}

/** From the end of the opening tag to the closing one. */
function readInside(text: string): string {
  const start = text.indexOf('>')
  const end = text.indexOf('</a>', start)
  return start < 0 || end < 0 ? '' : textOfHtml(text.slice(start + 1, end))
}

/** Links lead through the engine's counter, which knows the target as a parameter; its own pages are adverts. */
function readTarget(href: string | undefined): string | undefined {
  if (href === undefined || !URL.canParse(href, PUBLIC_URL)) return undefined
  const url = new URL(href, PUBLIC_URL)
  const target = url.searchParams.get('uddg')
  if (target !== null) return target
  return /(^|\.)duckduckgo\.com$/.test(url.hostname) ? undefined : url.href
}

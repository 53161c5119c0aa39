/** The address when the portal is loaded: bookmarks of older portals, codes to confirm, and the page before a sign-in elsewhere. */
import { hashRedirects } from '../hash-redirects.ts'

const RETURN_TO = 'causeway.return-to'

/** What the hash should be, or undefined when it is fine. */
export function correctedHash(hash: string): string | undefined {
  const [path = '', query] = hash.replace(/^#?\/?/, '').split('?', 2)
  const target = hashRedirects[path]
  if (target !== undefined) return `#${target}`
  if (hash !== '' && !hash.startsWith('#/')) return `#/${path}${query === undefined ? '' : `?${query}`}`
  return undefined
}

/** The pages on which a person confirms a code have addresses of their own, which other programs print. */
function codeHash(pathname: string, search: string): string | undefined {
  const kind = pathname === '/device' ? 'device' : pathname === '/auth/cli/callback' ? 'cli' : undefined
  if (kind === undefined) return undefined
  const code = new URLSearchParams(search).get('user_code')
  return `#/device?${new URLSearchParams({ ...(code === null ? {} : { user_code: code }), kind }).toString()}`
}

/** Before the router reads it. Parameters before the hash would leak into every page's own. */
export function settleAddress(): void {
  const { pathname, search, hash } = location
  const code = codeHash(pathname, search)
  const kept = code === undefined && (hash === '' || hash === '#/') ? takeReturnTo() : undefined
  const next = code ?? kept ?? correctedHash(hash) ?? (hash === '' ? '#/' : hash)
  if (pathname !== '/portal' || search !== '' || next !== hash) history.replaceState(null, '', `/portal${next}`)
  window.addEventListener('hashchange', () => {
    const corrected = correctedHash(location.hash)
    if (corrected !== undefined) location.replace(`/portal${corrected}`)
  })
}

/** An identity provider sends the browser back to the first page; this leads on to the one that was asked for. */
export function rememberReturnTo(): void {
  sessionStorage.setItem(RETURN_TO, location.hash)
}

function takeReturnTo(): string | undefined {
  const kept = sessionStorage.getItem(RETURN_TO)
  sessionStorage.removeItem(RETURN_TO)
  return kept?.startsWith('#/') === true && !kept.startsWith('#/login') ? kept : undefined
}

/** The address of what a page shows, without what is open over it or which page of a list it is. */
import type { UrlState } from '../../ui/url-state.ts'

const passing: readonly string[] = ['id', 'cursor']

export function viewAddress(pathname: string, state: UrlState): string {
  const chosen = Object.entries(state).flatMap(([name, value]): [string, string][] =>
    value === undefined || passing.includes(name) ? [] : [[name, String(value)]],
  )
  const search = new URLSearchParams(chosen).toString()
  return `#${pathname}${search === '' ? '' : `?${search}`}`
}

/** Only inside of the portal, whatever was stored. */
export function openView(path: string): void {
  if (path.startsWith('#/')) window.location.assign(path)
}

/** What a person chose for this browser: theme, time zone, single-letter shortcuts. Kept in local storage, shared by every tab. */
import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

export interface Preferences {
  readonly theme: Theme
  /** An IANA name, or `local` for the zone of the browser. */
  readonly zone: string
  readonly hasShortcuts: boolean
}

const names = { theme: 'causeway.theme', zone: 'causeway.zone', hasShortcuts: 'causeway.shortcuts' } as const
const listeners = new Set<() => void>()

/**
 * A zone that this browser does not know would make every time unreadable. The gateway takes neither offsets nor short names
 * such as IST, which mean several places.
 */
export function isZone(zone: string): boolean {
  if (!/^(?:UTC$|GMT$|[A-Za-z_]+\/)/.test(zone)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

function read(): Preferences {
  const theme = localStorage.getItem(names.theme)
  const zone = localStorage.getItem(names.zone) ?? 'local'
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    zone: zone === 'local' || isZone(zone) ? zone : 'local',
    hasShortcuts: localStorage.getItem(names.hasShortcuts) !== 'off',
  }
}

let current = read()

export function setPreferences(change: Partial<Preferences>): void {
  const next = { ...current, ...change }
  localStorage.setItem(names.theme, next.theme)
  localStorage.setItem(names.zone, next.zone)
  localStorage.setItem(names.hasShortcuts, next.hasShortcuts ? 'on' : 'off')
  apply()
}

function apply(): void {
  current = read()
  if (current.theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = current.theme
  for (const tell of listeners) tell()
}

window.addEventListener('storage', apply)

export function preferences(): Preferences {
  return current
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => current,
  )
}

/** Keys that work everywhere: Ctrl K for the palette, and single letters that a person can switch off. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Me } from '../api/session.ts'
import { isAllowed } from './allowed-pages.ts'
import { isTyping, openWindows } from './keyboard-state.ts'
import type { PageDefinition } from './page-definition.ts'
import { pages } from './page-registry.ts'
import { preferences } from './preferences.ts'

const SEQUENCE_MS = 1200

type PageWithLetter = PageDefinition & { readonly shortcut: string }

interface Actions {
  readonly openPalette: () => void
  readonly openList: () => void
}

/** The pages that a letter after `g` leads to: nobody is sent to one that is not theirs. */
export function pagesByLetter(me: Me): readonly PageWithLetter[] {
  return pages.filter((page): page is PageWithLetter => page.shortcut !== undefined && isAllowed(page, me))
}

export function useShortcuts(me: Me, actions: Actions): void {
  const navigate = useNavigate()
  const latest = useRef({ me, ...actions })
  latest.current = { me, ...actions }
  useEffect(() => {
    let wasGoAtMs = Number.NEGATIVE_INFINITY
    const listen = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        latest.current.openPalette()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || !preferences().hasShortcuts) return
      // A question or a form that is open belongs to the page under it, and would be gone with it.
      if (isTyping(event.target) || openWindows() > 0) return
      if (event.key === '/') focusSearch(event)
      if (event.key === '?') latest.current.openList()
      const isSecond = performance.now() - wasGoAtMs < SEQUENCE_MS
      wasGoAtMs = event.key === 'g' ? performance.now() : Number.NEGATIVE_INFINITY
      if (!isSecond) return
      const page = pagesByLetter(latest.current.me).find(({ shortcut }) => shortcut === event.key)
      if (page !== undefined) void navigate({ to: page.path } as never)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [navigate])
}

function focusSearch(event: KeyboardEvent): void {
  const box = document.querySelector<HTMLInputElement>('[data-page-search]')
  if (box === null) return
  event.preventDefault()
  box.focus()
}

/** Keys that work everywhere: Ctrl K for the palette, and single letters that a person can switch off. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { pages } from './page-registry.ts'
import { preferences } from './preferences.ts'

const SEQUENCE_MS = 1200

interface Actions {
  readonly openPalette: () => void
  readonly openList: () => void
}

export function useShortcuts(actions: Actions): void {
  const navigate = useNavigate()
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    let wasGoAtMs = Number.NEGATIVE_INFINITY
    const listen = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        latest.current.openPalette()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !preferences().hasShortcuts)
        return
      if (event.key === '/') focusSearch(event)
      if (event.key === '?') latest.current.openList()
      const isSecond = performance.now() - wasGoAtMs < SEQUENCE_MS
      wasGoAtMs = event.key === 'g' ? performance.now() : Number.NEGATIVE_INFINITY
      if (!isSecond) return
      const page = pages.find(({ shortcut }) => shortcut === event.key)
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

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role="dialog"]') !== null
  )
}

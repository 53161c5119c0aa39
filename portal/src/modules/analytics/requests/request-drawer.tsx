/** The drawer of one call; J and K go to the next and the one before, as in the list behind it. */
import { ChevronDown, ChevronUp } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { isTyping, openWindows } from '../../../app/keyboard-state.ts'
import { usePreferences } from '../../../app/preferences.ts'
import { Button } from '../../../ui/button.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import type { LoggedRequest } from './request-facts.tsx'

export function RequestDrawer({
  id,
  rows,
  onOpen,
  onClose,
  children,
}: {
  readonly id: string
  readonly rows: readonly LoggedRequest[]
  readonly onOpen: (id: string) => void
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  const at = rows.findIndex((row) => row.request_id === id)
  const next = at === -1 ? undefined : rows[at + 1]?.request_id
  const before = rows[at - 1]?.request_id
  const { hasShortcuts } = usePreferences()
  useEffect(() => {
    if (!hasShortcuts) return undefined
    const listen = (event: KeyboardEvent): void => {
      // What is typed into the palette, or into a sign-in over this drawer, is not for it.
      if (isTyping(event.target) || openWindows() > 1) return
      const target = { j: next, k: before }[event.key]
      if (target !== undefined && !event.metaKey && !event.ctrlKey && !event.altKey) onOpen(target)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [next, before, onOpen, hasShortcuts])
  return (
    <Drawer
      isOpen
      onClose={onClose}
      title="Request"
      lead="What was said is not stored; what it cost and where it went is."
    >
      {at !== -1 && (
        <div className="mb-4 flex gap-2">
          <Button
            icon={ChevronUp}
            disabled={before === undefined}
            onClick={() => before !== undefined && onOpen(before)}
          >
            {hasShortcuts ? 'Newer (K)' : 'Newer'}
          </Button>
          <Button icon={ChevronDown} disabled={next === undefined} onClick={() => next !== undefined && onOpen(next)}>
            {hasShortcuts ? 'Older (J)' : 'Older'}
          </Button>
        </div>
      )}
      {children}
    </Drawer>
  )
}

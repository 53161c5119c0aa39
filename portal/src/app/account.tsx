/** Who is signed in, at the foot of the navigation; opens to theme, settings and the way out. Plain HTML: it is in the first load. */
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { ChevronsUpDown, LogOut, Settings2, UserRound } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { showError } from '../api/queries.ts'
import { type Me, useSignOut } from '../api/session.ts'
import { setPreferences, type Theme, usePreferences } from './preferences.ts'

const themes: readonly (readonly [Theme, string])[] = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]

export function Account({ me, onChoose }: { readonly me: Me; readonly onChoose: () => void }) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return undefined
    const closeByKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      setIsOpen(false)
      opener.current?.focus()
    }
    const closeByPointer = (event: Event): void => {
      if (place.current?.contains(event.target as Node) !== true) setIsOpen(false)
    }
    window.addEventListener('keydown', closeByKey)
    window.addEventListener('pointerdown', closeByPointer)
    return () => {
      window.removeEventListener('keydown', closeByKey)
      window.removeEventListener('pointerdown', closeByPointer)
    }
  }, [isOpen])
  const choose = (): void => {
    setIsOpen(false)
    onChoose()
  }
  return (
    <div ref={place} className="relative border-t border-line p-2">
      {isOpen && <Panel id={id} onChoose={choose} />}
      <button
        ref={opener}
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
        className={clsx(
          'flex w-full items-center gap-2.5 rounded-6 px-2 py-1.5 text-left hover:bg-sunken',
          isOpen && 'bg-sunken',
        )}
      >
        <span className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent">
          <UserRound className="size-4" aria-hidden />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium" title={me.user?.subject}>
            {me.user?.subject ?? 'Signed in'}
          </span>
          <span className="block truncate text-12 text-text-3">
            {me.role === 'admin' ? 'Administrator' : (me.team?.name ?? 'Member')}
          </span>
        </span>
        <ChevronsUpDown className="size-4 shrink-0 text-text-3" aria-hidden />
      </button>
    </div>
  )
}

const row = 'flex min-h-8 w-full items-center gap-2 rounded-6 px-2 text-left hover:bg-sunken'

function Panel({ id, onChoose }: { readonly id: string; readonly onChoose: () => void }) {
  const { theme } = usePreferences()
  const signOut = useSignOut()
  return (
    <div
      id={id}
      className="appear absolute inset-x-2 bottom-full z-10 mb-1 rounded-8 border border-line bg-surface p-1 shadow-float"
    >
      <fieldset className="px-2 pt-1 pb-2">
        <legend className="mb-1 text-12 text-text-3">Theme</legend>
        <div className="grid grid-cols-3 gap-0.5 rounded-6 bg-sunken p-0.5">
          {themes.map(([value, label]) => (
            <label
              key={value}
              className="flex min-h-6 items-center justify-center rounded-[4px] text-12 text-text-2 has-checked:bg-surface has-checked:font-medium has-checked:text-text-1 has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name={`${id}-theme`}
                checked={theme === value}
                onChange={() => setPreferences({ theme: value })}
                className="sr-only"
              />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      <Link to="/me/settings" onClick={onChoose} className={row}>
        <Settings2 className="size-4" aria-hidden />
        My settings
      </Link>
      <button type="button" onClick={() => void signOut().catch(showError)} className={row}>
        <LogOut className="size-4" aria-hidden />
        Sign out
      </button>
    </div>
  )
}

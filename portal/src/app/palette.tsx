/** The palette behind Ctrl K: every page, a few commands, and people, teams, keys, endpoints and models by what one types, of those that one may see. */
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { Copy, MoonStar, Sun } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useDeferredValue, useState } from 'react'
import { toast } from 'sonner'
import type { Me } from '../api/session.ts'
import { copyText } from '../ui/copy.tsx'
import { useEntered } from '../ui/use-entered.ts'
import { findOwnTeam, isAllowed } from './allowed-pages.ts'
import { useFound } from './find-entries.ts'
import { useWindowFocus } from './keyboard-place.ts'
import { pages } from './page-registry.ts'
import { type Entry, Group } from './palette-group.tsx'
import { setPreferences } from './preferences.ts'
import { type Rights, useRights } from './rights.ts'
import { SlotParts } from './slot.tsx'
import { paletteGroups } from './slots.ts'

/** A word that nobody types: the gateway has found these entries for what was typed. */
const FOUND = '\u0000found'

/** With a space before each word. */
const inWords = (text: string): string => ` ${text.toLowerCase()}`.replace(/[\s/_-]+/g, ' ').trimEnd()

/**
 * A page is meant by the beginnings of its words alone: letters that stand somewhere in them would come before the person,
 * of whom the gateway tells a moment later, and Enter would lead to the page.
 */
function weigh(entry: string, typed: string, words: readonly string[] = []): number {
  if (words.includes(FOUND)) return 0.9
  const asked = inWords(typed)
  if (inWords(entry).startsWith(asked)) return 1
  const known = inWords([entry, ...words].join(' '))
  return asked.split(/(?= )/).every((word) => known.includes(word)) ? 0.95 : 0
}

export function Palette({ me, onClose }: { readonly me: Me; readonly onClose: () => void }) {
  const focus = useWindowFocus()
  return (
    <Dialog.Root open onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="appear fixed inset-0 z-40 bg-overlay" />
        <Dialog.Content
          {...focus}
          aria-describedby={undefined}
          className="appear fixed top-[8vh] left-1/2 z-50 w-[600px] max-w-[94vw] -translate-x-1/2 overflow-hidden rounded-12 bg-surface shadow-float"
        >
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <Search me={me} onDone={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type Go = (to: string, search?: Record<string, string>) => void

function Search({ me, onDone }: { readonly me: Me; readonly onDone: () => void }) {
  const [text, setText] = useState('')
  const navigate = useNavigate()
  const go: Go = (to, search = {}) => void navigate({ to, search } as never)
  const rights = useRights()
  const { entries: found, isLooking, note } = useFound(useDeferredValue(text.trim()), text.trim(), rights, go)
  const enterLater = useEntered(text.trim(), isLooking, () => {
    if (found[0] !== undefined) onDone()
    found[0]?.run()
  })
  return (
    <Command
      label="Search and commands"
      loop
      filter={weigh}
      onKeyDown={({ key, currentTarget, nativeEvent }) => {
        const hasChoice = currentTarget.querySelector('[cmdk-item][aria-selected=true]') !== null
        if (key === 'Enter' && !nativeEvent.isComposing && isLooking && !hasChoice) enterLater()
      }}
    >
      <Command.Input
        value={text}
        onValueChange={setText}
        placeholder={placeholderFor(rights)}
        className="h-12 w-full border-b border-line bg-surface px-4 text-16 outline-none placeholder:text-text-3"
      />
      <Command.List className="max-h-[60vh] overflow-y-auto p-2">
        {note === undefined && (
          <Command.Empty className="px-3 py-8 text-center text-text-3">Nothing matches.</Command.Empty>
        )}
        <Group heading="Pages" entries={pageEntries(me, go)} onDone={onDone} />
        <SlotParts slot={paletteGroups} props={{ onDone }} />
        <Group heading="Commands" entries={commands} onDone={onDone} />
        <Group heading="Found" entries={found} words={[FOUND]} onDone={onDone} />
      </Command.List>
      <p role="status" className="px-5 pb-3 text-13 text-text-2 empty:hidden">
        {note}
      </p>
    </Command>
  )
}

function pageEntries(me: Me, go: Go): readonly Entry[] {
  return pages
    .filter(
      (page) => page.access !== 'open' && !page.path.includes('$') && page.frame !== 'bare' && isAllowed(page, me),
    )
    .concat(findOwnTeam(me))
    .map((page) => ({
      id: page.path,
      label: page.title,
      words: page.keywords ?? [],
      icon: page.nav?.icon,
      run: () => go(page.path),
    }))
}

const commands: readonly Entry[] = [
  { id: 'copy-link', label: 'Copy a link to this page', icon: Copy, run: () => void copyLink() },
  { id: 'theme-light', label: 'Use the light theme', icon: Sun, run: () => setPreferences({ theme: 'light' }) },
  { id: 'theme-dark', label: 'Use the dark theme', icon: MoonStar, run: () => setPreferences({ theme: 'dark' }) },
]

async function copyLink(): Promise<void> {
  if (await copyText(location.href)) toast.success('The link is copied.')
  else toast.error('The link could not be copied. It is in the address bar.')
}

function placeholderFor({ isAdmin, mayOpen }: Rights): string {
  if (isAdmin) return 'Go to a page, find a person, a key, a model or a request …'
  return mayOpen('/requests') ? 'Go to a page, or paste the id of a request …' : 'Go to a page …'
}

/** The palette behind Ctrl K: every page, a few commands, and people, teams, keys, endpoints and models by what one types, of those that one may see. */
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import {
  Bookmark,
  Boxes,
  Copy,
  FileSearch,
  KeyRound,
  type LucideIcon,
  MoonStar,
  Server,
  Sun,
  UserRound,
  Users,
} from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useDeferredValue, useState } from 'react'
import { toast } from 'sonner'
import { toApiError } from '../api/api-error.ts'
import { useGet } from '../api/queries.ts'
import type { Me } from '../api/session.ts'
import { openView } from '../extensions/saved-views/view-address.ts'
import { copyText } from '../ui/copy.tsx'
import { useEntered } from '../ui/use-entered.ts'
import { useWindowFocus } from './keyboard-place.ts'
import { isAllowed, ownTeamOf, pages } from './page-registry.ts'
import { setPreferences } from './preferences.ts'
import { type Rights, useRights } from './rights.ts'

const KEY_PREFIX_LENGTH = 16
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

interface Entry {
  readonly id: string
  readonly label: string
  readonly detail?: string
  readonly icon: LucideIcon | undefined
  readonly run: () => void
}

export function Palette({ me, onClose }: { readonly me: Me; readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const navigate = useNavigate()
  const focus = useWindowFocus()
  const go = (to: string, search: Record<string, string> = {}): void => void navigate({ to, search } as never)
  const rights = useRights()
  const views = useGet('/me/views')
  const saved = (views.data?.data ?? []).map(({ name, path }) => ({
    id: `view ${name}`,
    label: name,
    detail: 'Saved view',
    icon: Bookmark,
    run: () => openView(path),
  }))
  const { entries: found, isLooking, note } = useFound(useDeferredValue(text.trim()), text.trim(), rights, go)
  const enterLater = useEntered(text.trim(), isLooking, () => {
    if (found[0] !== undefined) onClose()
    found[0]?.run()
  })
  const listed = pages
    .filter(
      (page) => page.access !== 'open' && !page.path.includes('$') && page.frame !== 'bare' && isAllowed(page, me),
    )
    .concat(ownTeamOf(me))
    .map((page) => ({
      id: page.path,
      label: page.title,
      words: page.keywords ?? [],
      icon: page.nav?.icon,
      run: () => go(page.path),
    }))
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
              <Command.Group heading="Pages" className={groupLook}>
                {listed.map((entry) => (
                  <Item key={entry.id} entry={entry} words={entry.words} onDone={onClose} />
                ))}
              </Command.Group>
              <Group heading="Saved views" entries={saved} onDone={onClose} />
              <Group heading="Commands" entries={commands} onDone={onClose} />
              <Group heading="Found" entries={found} words={[FOUND]} onDone={onClose} />
            </Command.List>
            <p role="status" className="px-5 pb-3 text-13 text-text-2 empty:hidden">
              {note}
            </p>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const groupLook =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-11 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-text-3'

const commands: readonly Entry[] = [
  { id: 'copy-link', label: 'Copy a link to this page', icon: Copy, run: () => void copyLink() },
  { id: 'theme-light', label: 'Use the light theme', icon: Sun, run: () => setPreferences({ theme: 'light' }) },
  { id: 'theme-dark', label: 'Use the dark theme', icon: MoonStar, run: () => setPreferences({ theme: 'dark' }) },
]

async function copyLink(): Promise<void> {
  if (await copyText(location.href)) toast.success('The link is copied.')
  else toast.error('The link could not be copied. It is in the address bar.')
}

function Group({
  heading,
  entries,
  words = [],
  onDone,
}: {
  readonly heading: string
  readonly entries: readonly Entry[]
  readonly words?: readonly string[]
  readonly onDone: () => void
}) {
  if (entries.length === 0) return null
  return (
    <Command.Group heading={heading} className={groupLook}>
      {entries.map((entry) => (
        <Item key={entry.id} entry={entry} words={words} onDone={onDone} />
      ))}
    </Command.Group>
  )
}

function Item({
  entry,
  words,
  onDone,
}: {
  readonly entry: Entry
  readonly words: readonly string[]
  readonly onDone: () => void
}) {
  const Icon = entry.icon
  return (
    <Command.Item
      value={`${entry.label} ${entry.id}`}
      keywords={[...words]}
      onSelect={() => {
        onDone()
        entry.run()
      }}
      className="flex min-h-9 cursor-default items-center gap-2.5 rounded-6 px-2 data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent"
    >
      {Icon !== undefined && <Icon className="size-4 shrink-0" aria-hidden />}
      <span className="min-w-0 truncate">{entry.label}</span>
      {entry.detail !== undefined && <span className="ml-auto truncate text-12 text-text-3">{entry.detail}</span>}
    </Command.Item>
  )
}

interface Found {
  readonly entries: readonly Entry[]
  readonly isLooking: boolean
  /** Why something may be missing: before all answers are there, nobody can say that nothing matches. */
  readonly note?: string | undefined
}

function placeholderFor({ isAdmin, mayOpen }: Rights): string {
  if (isAdmin) return 'Go to a page, find a person, a key, a model or a request …'
  return mayOpen('/requests') ? 'Go to a page, or paste the id of a request …' : 'Go to a page …'
}

/**
 * What one finds by typing, of what one may open. Of a pasted key only its public beginning leaves this page.
 * What an earlier answer has found stays while it has the letters that are there now: Enter means what is marked.
 */
function useFound(
  text: string,
  typed: string,
  rights: Rights,
  go: (to: string, search?: Record<string, string>) => void,
): Found {
  const isKey = text.startsWith('sk-proxy-')
  const q = isKey ? text.slice(0, KEY_PREFIX_LENGTH) : text
  const isAsked = q.length >= 2 && !q.startsWith('req_')
  const [hasPeople, hasPlaces] = [rights.may('audit:read'), rights.may('ops:operate')]
  const init = { params: { query: { q, limit: 4 } } }
  const asked = (enabled: boolean) => ({ enabled: isAsked && enabled, keepPrevious: true })
  const people = useGet('/admin/users', init, asked(hasPeople && !isKey))
  const teams = useGet('/admin/teams', init, asked(rights.isAdmin && !isKey))
  const keys = useGet('/admin/keys', init, asked(hasPeople))
  const endpoints = useGet('/admin/endpoints', init, asked(hasPlaces && !isKey))
  const models = useGet('/admin/model-mappings', init, asked(hasPlaces && !isKey))
  if (rights.mayOpen('/requests') && text.startsWith('req_'))
    return {
      entries: [
        {
          id: text,
          label: `Request ${text}`,
          icon: FileSearch,
          run: () => go(`/requests/${encodeURIComponent(text)}`),
        },
      ],
      isLooking: false,
    }
  if (!isAsked || !(hasPeople || hasPlaces)) return { entries: [], isLooking: text !== typed }
  const hasLetters = ({ label }: Entry): boolean => label.toLowerCase().includes(typed.toLowerCase())
  const entriesOf = <T,>(read: Read<T>, toEntry: (row: T) => Entry): readonly Entry[] => {
    const entries = (read.data?.data ?? []).map(toEntry)
    return read.isPlaceholderData || text !== typed ? entries.filter(hasLetters) : entries
  }
  const entries = [
    ...entriesOf(people, (user) => ({
      id: user.id,
      label: user.subject,
      detail: 'Person',
      icon: UserRound,
      run: () => go(`/users/${user.id}`),
    })),
    ...entriesOf(teams, (team) => ({
      id: team.id,
      label: team.name,
      detail: 'Team',
      icon: Users,
      run: () => go(`/teams/${team.id}`),
    })),
    ...entriesOf(keys, (key) => ({
      id: key.id,
      label: key.name,
      detail: `Key ${key.prefix}…`,
      icon: KeyRound,
      run: () => go(`/keys/${key.id}`),
    })),
    ...entriesOf(endpoints, (endpoint) => ({
      id: endpoint.id,
      label: endpoint.name,
      detail: `Endpoint in ${endpoint.region}`,
      icon: Server,
      run: () => go(`/endpoints/${endpoint.id}`),
    })),
    ...entriesOf(models, (model) => ({
      id: `model ${model.vendor_prefix}`,
      label: model.vendor_prefix,
      detail: `Model ${model.display_name}`,
      icon: Boxes,
      run: () => go('/models', { q: model.vendor_prefix }),
    })),
  ]
  const reads = [people, teams, keys, endpoints, models]
  const isLooking =
    text !== typed || reads.some((read) => read.isFetching && (read.isPending || read.isPlaceholderData))
  return { entries, isLooking, note: noteOf(reads, isLooking) }
}

interface Read<T> {
  readonly data: { readonly data: readonly T[] } | undefined
  readonly isPlaceholderData: boolean
}

function noteOf(reads: readonly { readonly error: unknown }[], isLooking: boolean): string | undefined {
  const error = reads.find((read) => read.error !== null)?.error
  if (error !== undefined)
    return `People, teams, keys, endpoints and models could not all be searched. ${toApiError(error).message}`
  return isLooking ? 'Looking for people, teams, keys, endpoints and models …' : undefined
}

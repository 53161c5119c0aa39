/** A heading in the palette with its entries. */
import { Command } from 'cmdk'
import type { LucideIcon } from 'lucide-react'

export interface Entry {
  readonly id: string
  readonly label: string
  readonly detail?: string
  /** More words by which it is found. */
  readonly words?: readonly string[]
  readonly icon: LucideIcon | undefined
  readonly run: () => void
}

const groupLook =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-11 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-text-3'

export function Group({
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
      keywords={[...words, ...(entry.words ?? [])]}
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

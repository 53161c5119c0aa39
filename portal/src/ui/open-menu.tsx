/** The list of a menu, from the moment somebody opens it for the first time. */
import { clsx } from 'clsx'
import { DropdownMenu } from 'radix-ui'
import type { MenuEntry, MenuProps } from './menu-entry.ts'

const item =
  'flex min-h-8 cursor-default items-center gap-2 rounded-6 px-2 outline-none select-none data-[highlighted]:bg-sunken data-[disabled]:opacity-50'

export function OpenMenu({ trigger, entries, align = 'end' }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="appear z-50 min-w-48 rounded-8 border border-line bg-surface p-1 shadow-float"
        >
          {entries.map((entry) => (
            <Entry key={entry.kind === 'line' ? entry.id : entry.label} entry={entry} />
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function Entry({ entry }: { readonly entry: MenuEntry }) {
  if (entry.kind === 'line') return <DropdownMenu.Separator className="my-1 h-px bg-line" />
  if (entry.kind === 'heading')
    return (
      <DropdownMenu.Label className="px-2 py-1 text-12 text-text-3 [overflow-wrap:anywhere]">
        {entry.label}
      </DropdownMenu.Label>
    )
  if (entry.kind === 'choice')
    return (
      <DropdownMenu.CheckboxItem checked={entry.isChosen} onSelect={entry.onSelect} className={item}>
        <span className="w-4 text-accent" aria-hidden>
          {entry.isChosen ? '✓' : ''}
        </span>
        {entry.label}
      </DropdownMenu.CheckboxItem>
    )
  const Icon = entry.icon
  return (
    <DropdownMenu.Item
      disabled={entry.isDisabled ?? false}
      onSelect={entry.onSelect}
      className={clsx(item, entry.isDangerous === true && 'text-bad')}
    >
      {Icon !== undefined && <Icon className="size-4" aria-hidden />}
      {entry.label}
    </DropdownMenu.Item>
  )
}

/** The columns of the key tables, and what can be done with a row. */
import { Ellipsis, RefreshCw, Trash2, X } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { formatDay, formatTime } from '../../ui/format.ts'
import { Menu } from '../../ui/menu.tsx'
import type { MenuEntry } from '../../ui/menu-entry.ts'
import { Badge, type Tone } from '../../ui/states.tsx'
import type { Column } from '../../ui/table-column.ts'
import type { Names } from '../../ui/use-names.ts'
import { Money, Name, Nothing, Time, TwoLines } from '../../ui/values.tsx'
import { KeyLink } from './key-link.tsx'
import type { Question } from './key-question.tsx'
import { findEnd, type Key, type KeyState, keyState, type Owner } from './key-writes.ts'

const stateWords: Readonly<Record<KeyState, readonly [Tone, string]>> = {
  active: ['ok', 'Active'],
  expiring: ['warn', 'Ends soon'],
  expired: ['neutral', 'Expired'],
  revoked: ['neutral', 'Revoked'],
}

/** Without `ask` there is nothing that can be done. */
export function keyColumns(owner: Owner, names: Names, ask: ((question: Question) => void) | undefined): Column<Key>[] {
  const findName = (id: string | null) => (id === null ? null : (names.get(id) ?? `${id.slice(0, 8)}…`))
  const columns: (Column<Key> | undefined)[] = [
    {
      id: 'name',
      header: 'Name',
      sort: 'name',
      cell: (key) => (
        <span className="flex flex-col">
          {owner === 'all' ? <KeyLink id={key.id} name={key.name} /> : <Name text={key.name} />}
          <code className="font-mono text-12 font-normal text-text-3">{key.prefix}…</code>
        </span>
      ),
    },
    owner === 'all'
      ? {
          id: 'owner',
          header: 'Owner',
          cell: (key) => <TwoLines first={findName(key.user_id) ?? <Nothing />} second={findName(key.team_id)} />,
        }
      : undefined,
    {
      id: 'limit',
      header: 'Limit',
      align: 'right',
      isMinor: true,
      cell: (key) => (key.rate_limit_rpm === null ? <Nothing word="no limit" /> : `${key.rate_limit_rpm} / min`),
    },
    { id: 'spend', header: 'Spend', align: 'right', cell: (key) => <Money usd={key.spend_usd} /> },
    { id: 'used', header: 'Last used', sort: 'last_used_at', cell: (key) => <Time at={key.last_used_at} /> },
    {
      id: 'expires',
      header: 'Expires',
      sort: 'expires_at',
      isMinor: true,
      cell: (key) => <KeyEnd at={findEnd(key)} />,
    },
    {
      id: 'state',
      header: 'State',
      cell: (key) => <KeyStateBadge record={key} />,
    },
    ask === undefined
      ? undefined
      : {
          id: 'actions',
          header: 'Actions',
          align: 'right',
          cell: (key) => <KeyMenu items={entriesFor(key, owner, ask)} name={key.name} />,
        },
  ]
  return columns.filter((column) => column !== undefined)
}

export function KeyStateBadge({ record }: { readonly record: Parameters<typeof keyState>[0] }) {
  const [tone, word] = stateWords[keyState(record)]
  return <Badge tone={tone}>{word}</Badge>
}

/** To the minute in the title: the grace of a rotated key may be an hour. */
export function KeyEnd({ at }: { readonly at: string | null }) {
  return at === null ? <Nothing word="never" /> : <span title={formatTime(at)}>{formatDay(at)}</span>
}

function KeyMenu({ items, name }: { readonly items: readonly MenuEntry[]; readonly name: string }) {
  if (items.length === 0) return <Nothing />
  return <Menu trigger={<IconButton icon={Ellipsis} label={`Actions for ${name}`} />} entries={items} />
}

function entriesFor(key: Key, owner: Owner, ask: (question: Question) => void): MenuEntry[] {
  if (key.status === 'active')
    return [
      { kind: 'action', label: 'Rotate', icon: RefreshCw, onSelect: () => ask({ kind: 'rotate', key }) },
      { kind: 'action', label: 'Revoke', icon: X, isDangerous: true, onSelect: () => ask({ kind: 'revoke', key }) },
    ]
  if (owner === 'all' && key.status === 'revoked')
    return [
      {
        kind: 'action',
        label: 'Delete',
        icon: Trash2,
        isDangerous: true,
        onSelect: () => ask({ kind: 'delete', key }),
      },
    ]
  return []
}

/** Tabs whose choice is in the address, so that a view can be sent to somebody. */

import { clsx } from 'clsx'
import { Tabs as Radix } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { useUrlState } from './url-state.ts'

export interface Tab {
  readonly id: string
  readonly label: string
  readonly content: () => ReactNode
  /** Once it was opened, a look at another tab does not lose what was done in it. */
  readonly staysMounted?: boolean
}

/** They belong to the list of the tab that is left: another one cannot be sorted by its columns, nor go on at its place. */
const ofList = { q: undefined, sort: undefined, cursor: undefined } as const

export function Tabs({
  tabs,
  label,
  param = 'tab',
}: {
  readonly tabs: readonly Tab[]
  /** What one chooses here. */
  readonly label: string
  /** The parameter in the address. */
  readonly param?: string
}) {
  const [state, setState] = useUrlState()
  const first = tabs[0]?.id ?? ''
  const wanted = state[param]
  const current = tabs.some(({ id }) => id === wanted) ? String(wanted) : first
  return (
    <Radix.Root
      value={current}
      onValueChange={(next) => setState({ ...ofList, [param]: next === first ? undefined : next })}
      className="flex flex-col gap-4"
    >
      <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map(({ id, label: name }) => (
          <Radix.Trigger
            key={id}
            ref={id === current ? bringIntoRow : undefined}
            value={id}
            className="-mb-px min-h-9 border-b-2 border-transparent px-3 whitespace-nowrap text-text-2 -outline-offset-2 hover:text-text-1 data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-text-1"
          >
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Panel key={tab.id} tab={tab} isCurrent={tab.id === current} />
      ))}
    </Radix.Root>
  )
}

function Panel({
  tab: { id, content, staysMounted = false },
  isCurrent,
}: {
  readonly tab: Tab
  readonly isCurrent: boolean
}) {
  const [isKept, setIsKept] = useState(false)
  if (staysMounted && isCurrent && !isKept) setIsKept(true)
  return (
    <Radix.Content
      value={id}
      {...(isKept ? { forceMount: true } : {})}
      className={clsx('flex flex-col gap-4', isKept && 'data-[state=inactive]:hidden')}
    >
      {(isCurrent || isKept) && content()}
    </Radix.Content>
  )
}

/** On a narrow screen the row is longer than what is seen of it, and a link may open its last tab. The page itself stays where it is. */
function bringIntoRow(tab: HTMLElement | null): void {
  const row = tab?.parentElement
  if (tab === null || row === null || row === undefined) return
  const seen = row.getBoundingClientRect()
  const { left, right } = tab.getBoundingClientRect()
  row.scrollLeft += Math.min(0, left - seen.left) + Math.max(0, right - seen.right)
}

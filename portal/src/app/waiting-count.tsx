/** How many things of a list wait for somebody, beside its page in the navigation. Nothing while none do. */
import { useGet } from '../api/queries.ts'
import type { PageDefinition } from './page-definition.ts'

/** More are only told to be more. */
const MOST = 9

export function WaitingCount({ list }: { readonly list: NonNullable<NonNullable<PageDefinition['nav']>['waiting']> }) {
  const open = useGet(list, { params: { query: { status: 'open', limit: MOST } } }, { refetchInterval: 60_000 })
  const count = open.data?.data.length ?? 0
  if (count === 0) return null
  return (
    <span className="tabular ml-auto rounded-full bg-warn-soft px-1.5 text-11 font-medium text-warn">
      {count}
      {open.data?.has_more === true && '+'}
      <span className="sr-only"> open</span>
    </span>
  )
}

/** From one page of a table to the next. */
import { useCanGoBack } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from './button.tsx'
import { useUrlState } from './url-state.ts'

export interface ListPage<Row> {
  readonly data: readonly Row[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

/**
 * Forward by the gateway's cursor; backward through the browser's own history, where the earlier pages are. Whoever opened a
 * link to a later page has none there, and would leave the portal.
 */
export function Pager({
  page,
  isOld,
  prefix,
}: {
  readonly page: ListPage<unknown> | undefined
  /** It is the page of another list, whose next one is none of this. */
  readonly isOld: boolean
  readonly prefix: string
}) {
  const [state, setState] = useUrlState()
  const cursor = state[`${prefix}cursor`]
  const canGoBack = useCanGoBack()
  const next = page?.next_cursor ?? undefined
  if (cursor === undefined && page?.has_more !== true) return null
  return (
    <nav
      aria-label="Pages of the table"
      className="flex items-center justify-between gap-2 border-t border-line px-4 py-2.5"
    >
      <p className="text-12 text-text-3">
        {page === undefined ? '' : `${page.data.length} ${page.data.length === 1 ? 'row' : 'rows'} on this page`}
      </p>
      <div className="flex gap-2">
        {cursor !== undefined && (
          <Button onClick={() => setState({ [`${prefix}cursor`]: undefined }, { isStep: true })}>First page</Button>
        )}
        {cursor !== undefined && canGoBack && (
          <Button icon={ChevronLeft} onClick={() => history.back()}>
            Back
          </Button>
        )}
        <Button
          icon={ChevronRight}
          disabled={page?.has_more !== true || next === undefined}
          aria-disabled={isOld}
          onClick={() => !isOld && setState({ [`${prefix}cursor`]: next }, { isStep: true })}
        >
          Next
        </Button>
      </div>
    </nav>
  )
}

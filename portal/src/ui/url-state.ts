/** What a person sees is in the address: filters, sort, page, tab. Reads and writes the parameters of the current page. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

export type UrlState = Readonly<Record<string, string | undefined>>

/** Values are strings; `undefined` removes one. Writing replaces the entry unless `isStep`, which "back" then undoes. */
export function useUrlState(): readonly [UrlState, (change: UrlState, options?: { isStep?: boolean }) => void] {
  const search = useSearch({ strict: false }) as UrlState
  const navigate = useNavigate()
  const set = useCallback(
    (change: UrlState, options: { isStep?: boolean } = {}) => {
      void navigate({
        to: '.',
        search: (previous: UrlState) => withoutEmpty({ ...previous, ...change }),
        replace: options.isStep !== true,
        resetScroll: false,
      } as never)
    },
    [navigate],
  )
  return [search, set]
}

function withoutEmpty(state: UrlState): UrlState {
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined && value !== ''))
}

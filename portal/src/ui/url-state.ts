/** What a person sees is in the address: filters, sort, page, tab. Reads and writes the parameters of the current page. */
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'

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

export interface Opened {
  readonly id: string | undefined
  readonly open: (id: string) => void
  readonly close: () => void
}

/**
 * What is open over a list, under `id` in the address. Opening it is a step, so that "back" closes it; going on to the next one
 * is none. Closing it goes back to the list it was opened from, or, for whoever came by a link, shows the list in its place.
 */
export function useOpened(): Opened {
  const [{ id }, setState] = useUrlState()
  const navigate = useNavigate()
  const { history } = useRouter()
  const isClosing = useRef(false)
  useEffect(() => {
    isClosing.current = id === undefined
  }, [id])
  const isOpen = id !== undefined
  const open = useCallback(
    (next: string) => {
      void navigate({
        to: '.',
        search: (previous: UrlState) => ({ ...previous, id: next }),
        replace: isOpen,
        // Kept by the browser with the entry, also over a reload.
        state: (previous: object) => (isOpen ? previous : { ...previous, isOverList: true }),
        resetScroll: false,
      } as never)
    },
    [navigate, isOpen],
  )
  const close = useCallback(() => {
    // The browser goes back a moment later: closed twice until then would leave the list too.
    if (isClosing.current) return
    isClosing.current = true
    if ((history.location.state as { isOverList?: boolean }).isOverList === true) history.back()
    else setState({ id: undefined })
  }, [history, setState])
  return { id, open, close }
}

function withoutEmpty(state: UrlState): UrlState {
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined && value !== ''))
}

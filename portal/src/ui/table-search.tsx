/** The search of a table, in the address. */
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useUrlState } from './url-state.ts'

const SEARCH_PAUSE_MS = 250

export function SearchBox({ label, prefix }: { readonly label: string; readonly prefix: string }) {
  const [state, setState] = useUrlState()
  const inAddress = state[`${prefix}q`] ?? ''
  const [text, setText] = useState(inAddress)
  const sent = useRef(inAddress)
  useEffect(() => {
    // Changed by somebody else: the back button, or "Clear the search".
    if (inAddress !== sent.current) {
      sent.current = inAddress
      setText(inAddress)
    }
  }, [inAddress])
  useEffect(() => {
    if (text === sent.current) return undefined
    const timer = setTimeout(() => {
      sent.current = text
      setState({ [`${prefix}q`]: text, [`${prefix}cursor`]: undefined })
    }, SEARCH_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, prefix, setState])
  return (
    <div className="relative w-full sm:w-72">
      <Search className="pointer-events-none absolute top-2 left-2.5 size-4 text-text-3" aria-hidden />
      <input
        type="search"
        data-page-search
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="control !pl-8"
      />
    </div>
  )
}

/** The filters of the log beside its search, and those that came with a link, each of which can be taken off. */
import { useMemo } from 'react'
import { Select } from '../../ui/controls.tsx'
import { formatTime } from '../../ui/format.ts'
import { type UrlState, useUrlState } from '../../ui/url-state.ts'
import { nameWanted } from './exact-name.ts'

const DAY_MS = 86_400_000

const statuses = [
  { value: '', label: 'Any' },
  { value: 'ok', label: 'Answered' },
  { value: 'error', label: 'Failed' },
  { value: '429', label: 'Refused for now (429)' },
] as const

const times = [
  { value: '', label: 'Any time' },
  { value: '1', label: 'Last day' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
] as const

const chips = {
  team: 'Team',
  user: 'Person',
  model: 'Model',
  endpoint: 'Endpoint',
  key: 'Key',
  session_id: 'Session',
  tool: 'Tool',
  flag: 'Flag',
} as const

const names = ['status', ...Object.keys(chips)]

/** What the address asks of the log. The moment behind "last 7 days" is taken once, or every render would ask anew. */
export function useRequestFilter(): Record<string, string> {
  const [state] = useUrlState()
  return useMemo(() => {
    const from =
      state['days'] === undefined ? state['from'] : new Date(Date.now() - Number(state['days']) * DAY_MS).toISOString()
    const all: UrlState = { ...Object.fromEntries(names.map((name) => [name, state[name]])), from, to: state['to'] }
    return Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    )
  }, [state])
}

export function RequestFilters() {
  const [state, setState] = useUrlState()
  const change = (next: UrlState): void => setState({ ...next, cursor: undefined })
  const { from, to } = state
  return (
    <>
      <Select
        label="Status"
        value={state['status'] ?? ''}
        choices={statuses}
        onChange={(status) => change({ status })}
      />
      {from === undefined && to === undefined ? (
        <Select label="Time" value={state['days'] ?? ''} choices={times} onChange={(days) => change({ days })} />
      ) : (
        <Chip
          text={`${from === undefined ? 'Until' : formatTime(from)}${to === undefined ? ' and later' : ` to ${formatTime(to)}`}`}
          onRemove={() => change({ from: undefined, to: undefined })}
        />
      )}
      {Object.entries(chips).map(([name, label]) => {
        const value = state[name]
        if (value === undefined) return null
        return (
          <Chip key={name} text={`${label}: ${nameWanted(value)}`} onRemove={() => change({ [name]: undefined })} />
        )
      })}
    </>
  )
}

function Chip({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) {
  return (
    <button type="button" className="rounded-6 bg-sunken px-2 py-1 text-12 [overflow-wrap:anywhere]" onClick={onRemove}>
      {text} <span aria-hidden>×</span>
      <span className="sr-only">remove this filter</span>
    </button>
  )
}

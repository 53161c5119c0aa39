/** The filters of the log beside its search, and those that came with a link, each of which can be taken off. */
import { useMemo } from 'react'
import { useGet } from '../../api/queries.ts'
import { Select } from '../../ui/controls.tsx'
import { FilterChip } from '../../ui/filter-chip.tsx'
import { formatTime } from '../../ui/format.ts'
import { beginOf, timeChoice, timeChoices } from '../../ui/time-choice.ts'
import { type UrlState, useUrlState } from '../../ui/url-state.ts'
import { NOBODY, nameWanted } from './exact-name.ts'

const statuses = [
  { value: '', label: 'Any' },
  { value: 'ok', label: 'Answered' },
  { value: 'error', label: 'Failed' },
  { value: '429', label: 'Refused for now (429)' },
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

/** What the address asks of the log. The moment behind "last 7 days" is taken once, or every call that is opened would ask anew. */
export function useRequestFilter(): Record<string, string> {
  const [state] = useUrlState()
  const { days, from, to } = state
  const begin = useMemo(() => (from === undefined && to === undefined ? beginOf(days) : from), [days, from, to])
  return useMemo(() => {
    const all: UrlState = { ...Object.fromEntries(names.map((name) => [name, state[name]])), from: begin, to }
    return Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    )
  }, [state, begin, to])
}

/** A time of a link, or whatever stands there in place of one: the gateway says what is wrong with it. */
function timeText(text: string): string {
  return Number.isNaN(Date.parse(text)) ? text : formatTime(text)
}

function spanText(from: string | undefined, to: string | undefined): string {
  if (from === undefined) return `Until ${timeText(to ?? '')}`
  return `${timeText(from)} ${to === undefined ? 'and later' : `to ${timeText(to)}`}`
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Keys are asked for by their id, which tells nobody anything. */
function useKeyName(filter: string | undefined): string | undefined {
  const id = nameWanted(filter ?? '')
  const key = useGet('/admin/keys/{key_id}', { params: { path: { key_id: id } } }, { enabled: ID.test(id) })
  return key.data?.name
}

function chipText(label: string, name: string): string {
  return name === NOBODY ? `No ${label.toLowerCase()}` : `${label}: ${name}`
}

export function RequestFilters() {
  const [state, setState] = useUrlState()
  const keyName = useKeyName(state['key'])
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
        <Select
          label="Time"
          value={timeChoice(state['days'])}
          choices={timeChoices}
          onChange={(days) => change({ days })}
        />
      ) : (
        <FilterChip text={spanText(from, to)} onRemove={() => change({ from: undefined, to: undefined })} />
      )}
      {Object.entries(chips).map(([name, label]) => {
        const value = state[name]
        if (value === undefined) return null
        return (
          <FilterChip
            key={name}
            text={chipText(label, (name === 'key' ? keyName : undefined) ?? nameWanted(value))}
            onRemove={() => change({ [name]: undefined })}
          />
        )
      })}
    </>
  )
}

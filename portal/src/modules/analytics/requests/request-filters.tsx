/** The filters of the log beside its search, and those that came with a link, each of which can be taken off. */
import { useMemo } from 'react'
import { useGet } from '../../../api/queries.ts'
import { useRights } from '../../../app/rights.ts'
import { Select } from '../../../ui/controls.tsx'
import { FilterChip } from '../../../ui/filter-chip.tsx'
import { type UrlState, useUrlState } from '../../../ui/url-state.ts'
import { NO_MODEL, NOBODY, nameWanted } from './exact-name.ts'
import { chips, filterNames } from './filter-names.ts'
import { TimeFilter, useTimeSpan } from './time-filter.tsx'

const statuses = [
  { value: '', label: 'Any' },
  { value: 'ok', label: 'Answered' },
  { value: 'error', label: 'Failed' },
  { value: '429', label: 'Refused for now (429)' },
] as const

/** What the address asks of the log. */
export function useRequestFilter(): Record<string, string> {
  const [state] = useUrlState()
  const span = useTimeSpan()
  return useMemo(() => {
    const wanted = filterNames.flatMap((name) => (state[name] === undefined ? [] : [[name, state[name]] as const]))
    return { ...Object.fromEntries(wanted), ...span }
  }, [state, span])
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Keys are asked for by their id, which tells nobody anything. */
function useKeyName(filter: string | undefined): string | undefined {
  const id = nameWanted(filter ?? '')
  const mayAsk = useRights().may('audit:read')
  const key = useGet('/admin/keys/{key_id}', { params: { path: { key_id: id } } }, { enabled: mayAsk && ID.test(id) })
  return key.data?.name
}

function chipText(label: string, name: string): string {
  return name === NOBODY || name === NO_MODEL ? `No ${label.toLowerCase()}` : `${label}: ${name}`
}

export function RequestFilters() {
  const [state, setState] = useUrlState()
  const keyName = useKeyName(state['key'])
  const change = (next: UrlState): void => setState({ ...next, cursor: undefined })
  return (
    <>
      <Select
        label="Status"
        value={state['status'] ?? ''}
        choices={statuses}
        onChange={(status) => change({ status })}
      />
      <TimeFilter />
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

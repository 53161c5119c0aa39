/** Range, granularity, zone, what to compare with and the four filters; everything goes into the address. */
import { useId } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useRights } from '../../../app/rights.ts'
import { Button } from '../../../ui/button.tsx'
import { Combobox, type Matches } from '../../../ui/combobox.tsx'
import { type Choice, Select } from '../../../ui/controls.tsx'
import { zoneName } from '../../../ui/format.ts'
import { Card } from '../../../ui/layout.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import { NO_MODEL, NOBODY } from '../requests/exact-name.ts'
import { type Facet, type Filter, facets, ranges } from './analytics-filter.ts'
import { comparisons } from './compare.ts'

type Names = Answer<'/admin/analytics/org/overview', 'get'>['filters']

const granularities = [
  { value: 'auto', label: 'Automatic' },
  { value: 'hour', label: 'Hours' },
  { value: 'day', label: 'Days' },
  { value: 'week', label: 'Weeks' },
] as const

const facetTexts: Readonly<
  Record<Facet, { readonly label: string; readonly all: string; readonly list: keyof Names }>
> = {
  team: { label: 'Team', all: 'All teams', list: 'teams' },
  user: { label: 'Person', all: 'Everybody', list: 'users' },
  model: { label: 'Model', all: 'All models', list: 'models' },
  endpoint: { label: 'Endpoint', all: 'All endpoints', list: 'endpoints' },
}

export function FilterBar({ filter, names }: { readonly filter: Filter; readonly names: Names | undefined }) {
  const [state, setState] = useUrlState()
  const isOfOneTeam = useRights().onlyTeam('billing:read') !== undefined
  const offered = isOfOneTeam ? facets.filter((facet) => facet !== 'team') : facets
  const isFiltered = facets.some((facet) => state[facet] !== undefined)
  const choose = (range: string): void => {
    const isDays = /^\d+$/.test(range)
    setState({
      days: isDays && range !== '30' ? range : undefined,
      range: isDays || range === 'custom' ? undefined : range,
      from: range === 'custom' ? filter.from : undefined,
      to: range === 'custom' ? filter.to : undefined,
    })
  }
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Select label="Range" value={filter.range} choices={ranges} onChange={choose} />
        {filter.range === 'custom' && (
          <>
            <DayField label="From" value={filter.from} onChange={(from) => setState({ from })} />
            <DayField label="To" value={filter.to} onChange={(to) => setState({ to })} />
          </>
        )}
        <Select
          label="By"
          value={filter.query.granularity ?? 'auto'}
          choices={granularities}
          onChange={(next) => setState({ granularity: next === 'auto' ? undefined : next })}
        />
        <Select
          label="Zone"
          value={filter.query.tz}
          choices={[...new Set([filter.query.tz, zoneName(), 'UTC'])].map((zone) => ({ value: zone, label: zone }))}
          onChange={(tz) => setState({ tz: tz === zoneName() ? undefined : tz })}
        />
        <Select
          label="Compare with"
          value={filter.comparison}
          choices={comparisons}
          onChange={(next) => setState({ compare: next === 'none' ? undefined : next })}
        />
        {offered.map((facet) => (
          <FacetSelect key={facet} facet={facet} names={names} />
        ))}
        {isFiltered && (
          <Button tone="quiet" onClick={() => setState(Object.fromEntries(facets.map((facet) => [facet, undefined])))}>
            Clear filters
          </Button>
        )}
      </div>
    </Card>
  )
}

function FacetSelect({ facet, names }: { readonly facet: Facet; readonly names: Names | undefined }) {
  const [state, setState] = useUrlState()
  const { label, all, list } = facetTexts[facet]
  const value = state[facet] ?? ''
  // What the address asks for stays in the list, also while the names are on their way. No model is no choice: its value
  // would be that of all.
  const known = [...new Set([...(value === '' ? [] : [value]), ...(names?.[list] ?? [])])].filter(
    (name) => name !== NO_MODEL,
  )
  const choices = known.map((name) => ({
    value: name,
    label: name === NOBODY ? `No ${label.toLowerCase()}` : name,
  }))
  const change = (next: string): void => setState({ [facet]: next || undefined })
  if (choices.length > LONG_LIST)
    return <LongFacet label={label} all={all} value={value} choices={choices} onChange={change} />
  return (
    <Select label={label} value={value} choices={[{ value: '', label: all }, ...choices]} onChange={change} isSteady />
  )
}

const LONG_LIST = 100
const SHOWN = 50

/** Nobody scrolls through a thousand names: they are typed. */
function LongFacet({
  label,
  all,
  value,
  choices,
  onChange,
}: {
  readonly label: string
  readonly all: string
  readonly value: string
  readonly choices: readonly Choice[]
  readonly onChange: (value: string) => void
}) {
  const id = useId()
  const useMatches = (words = ''): Matches => {
    const found = choices.filter((choice) => choice.label.toLowerCase().includes(words.toLowerCase()))
    return { choices: found.slice(0, SHOWN), hasMore: found.length > SHOWN, isLoading: false, error: null }
  }
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className="text-text-3 whitespace-nowrap">
        {label}
      </label>
      <div className="w-40">
        <Combobox
          id={id}
          current={choices.find((choice) => choice.value === value)?.label ?? all}
          none={all}
          useMatches={useMatches}
          onChange={onChange}
        />
      </div>
    </div>
  )
}

function DayField({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (day: string) => void
}) {
  const id = useId()
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className="text-text-3">
        {label}
      </label>
      <input
        id={id}
        type="date"
        value={value}
        // An emptied field is a day that is still being typed.
        onChange={(event) => event.target.value !== '' && onChange(event.target.value)}
        className="control !w-auto"
      />
    </div>
  )
}

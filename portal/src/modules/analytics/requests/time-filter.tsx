/** How far back a list of calls goes: a choice, or the span that a link names. */
import { useMemo } from 'react'
import { Select } from '../../../ui/controls.tsx'
import { FilterChip } from '../../../ui/filter-chip.tsx'
import { formatTime } from '../../../ui/format.ts'
import { findBegin, timeChoice, timeChoices } from '../../../ui/time-choice.ts'
import { useUrlState } from '../../../ui/url-state.ts'

/** For the gateway. The moment behind "last 7 days" is taken once, or every call that is opened would ask anew. */
export function useTimeSpan(): { readonly from?: string; readonly to?: string } {
  const [{ days, from, to }] = useUrlState()
  return useMemo(() => {
    const begin = from === undefined && to === undefined ? findBegin(days) : from
    return { ...(begin === undefined ? {} : { from: begin }), ...(to === undefined ? {} : { to }) }
  }, [days, from, to])
}

/** A time of a link, or whatever stands there in place of one: the gateway says what is wrong with it. */
function timeText(text: string): string {
  return Number.isNaN(Date.parse(text)) ? text : formatTime(text)
}

function spanText(from: string | undefined, to: string | undefined): string {
  if (from === undefined) return `Until ${timeText(to ?? '')}`
  return `${timeText(from)} ${to === undefined ? 'and later' : `to ${timeText(to)}`}`
}

export function TimeFilter() {
  const [{ days, from, to }, setState] = useUrlState()
  if (from === undefined && to === undefined)
    return (
      <Select
        label="Time"
        value={timeChoice(days)}
        choices={timeChoices}
        onChange={(next) => setState({ days: next, cursor: undefined })}
      />
    )
  return (
    <FilterChip
      text={spanText(from, to)}
      onRemove={() => setState({ from: undefined, to: undefined, cursor: undefined })}
    />
  )
}

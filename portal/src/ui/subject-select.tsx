/** A team or a person to choose: the browser's own list while all fit into it, a search on the gateway when there are more. */
import { RefreshCw } from 'lucide-react'
import { useId, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { toApiError } from '../api/api-error.ts'
import { useGet } from '../api/queries.ts'
import { Button } from './button.tsx'
import { Combobox, type Matches } from './combobox.tsx'
import type { Choice } from './controls.tsx'
import { FieldFrame, type FieldProps } from './fields.tsx'
import { useNames } from './use-names.ts'

type Kind = 'team' | 'user'

/** More than this is searched rather than scrolled. */
const FIT = 100

interface Listed extends Matches {
  readonly retry: () => void
  readonly isAsking: boolean
}

function useFound(kind: Kind, words: string | undefined): Listed {
  const query = { limit: FIT, ...(words === undefined || words === '' ? {} : { q: words }) }
  const isAsked = words !== undefined
  const teams = useGet(
    '/admin/teams',
    { params: { query: { ...query, sort: 'name' } } },
    { enabled: isAsked && kind === 'team', keepPrevious: true },
  )
  const people = useGet(
    '/admin/users',
    { params: { query: { ...query, sort: 'subject' } } },
    { enabled: isAsked && kind === 'user', keepPrevious: true },
  )
  const read = kind === 'team' ? teams : people
  const choices: readonly Choice[] =
    kind === 'team'
      ? (teams.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
      : (people.data?.data ?? []).map(({ id, subject }) => ({ value: id, label: subject }))
  return {
    choices,
    hasMore: read.data?.has_more ?? false,
    isLoading: read.isLoading || read.isPlaceholderData,
    // A list that is there stays one when asking for it again fails.
    error: read.data === undefined ? read.error : null,
    retry: () => void read.refetch(),
    isAsking: read.isFetching,
  }
}

const useTeams = (words: string | undefined) => useFound('team', words)
const usePeople = (words: string | undefined) => useFound('user', words)

interface SubjectProps {
  readonly kind: Kind
  /** What no choice is called. */
  readonly none: string
  /** Choices beside the names, before them. */
  readonly others?: readonly Choice[]
  /** Narrows what is shown and writes nothing: then it can be changed also while nobody knows what there is to choose. */
  readonly isFilter?: boolean
}

interface ControlProps extends SubjectProps {
  readonly id: string
  readonly value: string
  readonly onChange: (id: string) => void
  readonly 'aria-describedby'?: string | undefined
  readonly 'aria-invalid'?: boolean | undefined
}

const lists = { team: 'The list of teams', user: 'The list of people' } as const

const noOthers: readonly Choice[] = []

function SubjectControl({
  kind,
  none,
  others = noOthers,
  isFilter = false,
  id,
  value,
  onChange,
  ...wiring
}: ControlProps) {
  const useNamed = kind === 'team' ? useTeams : usePeople
  const all = useNamed('')
  const useMatches = (words: string | undefined): Matches => {
    const found = useNamed(words)
    return words === '' ? { ...found, choices: [...others, ...found.choices] } : found
  }
  const [chosen, setChosen] = useState<Choice>()
  const isListed =
    value === '' || value === chosen?.value || [...others, ...all.choices].some((choice) => choice.value === value)
  const names = useNames({ [kind === 'team' ? 'teams' : 'people']: isListed ? [] : [value] })
  const current =
    (value === chosen?.value ? chosen.label : undefined) ??
    names.get(value) ??
    [...others, ...all.choices].find((choice) => choice.value === value)?.label ??
    value.slice(0, 8)
  if (all.hasMore)
    return (
      <Combobox
        {...wiring}
        id={id}
        current={value === '' ? none : current}
        none={none}
        useMatches={useMatches}
        onChange={(next, label) => {
          setChosen({ value: next, label })
          onChange(next)
        }}
      />
    )
  const choices = [
    { value: '', label: none },
    ...(isListed ? [] : [{ value, label: current }]),
    ...others,
    ...all.choices,
  ]
  const isUnread = all.error !== null
  const select = (
    <select
      {...wiring}
      {...(isUnread ? { 'aria-describedby': [wiring['aria-describedby'], `${id}-unread`].join(' ').trim() } : {})}
      id={id}
      value={value}
      // The one choice that is left would be taken for the only one that there is.
      disabled={isUnread && !isFilter}
      onChange={(event) => onChange(event.target.value)}
      className="control"
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  )
  return (
    <>
      {select}
      {isUnread && (
        <div id={`${id}-unread`} role="alert" className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-12">
          <span className="text-bad">
            {lists[kind]} could not be read. {toApiError(all.error).message}
          </span>
          <Button icon={RefreshCw} isBusy={all.isAsking} onClick={all.retry}>
            Try again
          </Button>
        </div>
      )}
    </>
  )
}

/** Outside of forms. The label may be hidden, never absent. */
export function SubjectSelect({
  label,
  isLabelHidden = false,
  ...control
}: Omit<ControlProps, 'id'> & { readonly label: string; readonly isLabelHidden?: boolean }) {
  const id = useId()
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-text-3 whitespace-nowrap'}>
        {label}
      </label>
      <div className="min-w-40">
        <SubjectControl {...control} id={id} />
      </div>
    </div>
  )
}

/** In a form: its value is the id, or nothing. */
export function SubjectField({ name, label, hint, ...subject }: FieldProps & SubjectProps) {
  const { setValue } = useFormContext()
  const value = useWatch({ name }) as string
  return (
    <FieldFrame name={name} label={label} hint={hint}>
      {(wiring) => (
        <SubjectControl
          {...subject}
          {...wiring}
          value={value}
          onChange={(id) => setValue(name, id, { shouldDirty: true, shouldValidate: true })}
        />
      )}
    </FieldFrame>
  )
}

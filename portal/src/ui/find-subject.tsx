/** Finds a person or a team by a part of the name; each hit has one button. */
import { clsx } from 'clsx'
import { useDeferredValue, useId, useState } from 'react'
import { useGet } from '../api/queries.ts'
import { Button } from './button.tsx'
import { Failure, Loading } from './states.tsx'

export interface FoundSubject {
  readonly kind: 'team' | 'user'
  readonly id: string
  readonly name: string
}

const words = { team: 'Team', user: 'Person' } as const

export function FindSubject({
  kinds,
  action,
  onChosen,
  isLeftOut = () => false,
}: {
  readonly kinds: readonly FoundSubject['kind'][]
  /** The verb on each button. */
  readonly action: string
  readonly onChosen: (subject: FoundSubject) => void
  readonly isLeftOut?: (subject: FoundSubject) => boolean
}) {
  const id = useId()
  const [text, setText] = useState('')
  const q = useDeferredValue(text.trim())
  const init = { params: { query: { limit: 8, ...(q === '' ? {} : { q }) } } }
  const teams = useGet('/admin/teams', init, { enabled: kinds.includes('team'), keepPrevious: true })
  const people = useGet('/admin/users', init, { enabled: kinds.includes('user'), keepPrevious: true })
  const error = teams.error ?? people.error
  const found: FoundSubject[] = [
    ...(teams.data?.data ?? []).map((team) => ({ kind: 'team' as const, id: team.id, name: team.name })),
    ...(people.data?.data ?? []).map((user) => ({ kind: 'user' as const, id: user.id, name: user.subject })),
  ].filter((subject) => !isLeftOut(subject))
  const isOld = teams.isPlaceholderData || people.isPlaceholderData
  // That nobody was found before says nothing about the name that is typed now.
  const isLoading =
    (isOld && found.length === 0) || kinds.some((kind) => (kind === 'team' ? teams : people).data === undefined)
  return (
    <div className="flex flex-col gap-3">
      <label htmlFor={id} className="font-medium">
        Name
      </label>
      <input id={id} type="search" className="control" value={text} onChange={(event) => setText(event.target.value)} />
      {error !== null && (
        <Failure
          error={error}
          retry={() => {
            for (const read of [teams, people]) if (read.error !== null) void read.refetch()
          }}
        />
      )}
      {isLoading && error === null && <Loading rows={3} />}
      {!isLoading && found.length === 0 && <p className="text-text-3">Nobody by that name.</p>}
      <ul className={clsx('flex flex-col', isOld && 'of-before')}>
        {found.map((subject) => (
          <li
            key={subject.id}
            className="flex items-center justify-between gap-3 border-b border-line py-1.5 last:border-0"
          >
            <span className="min-w-0 truncate">
              {subject.name} {kinds.length > 1 && <span className="text-12 text-text-3">{words[subject.kind]}</span>}
            </span>
            <Button aria-label={`${action} ${subject.name}`} onClick={() => onChosen(subject)}>
              {action}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

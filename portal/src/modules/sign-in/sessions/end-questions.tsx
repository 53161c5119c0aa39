/** The questions before a session ends; each names what stops and what goes on. */
import { api } from '../../../api/client.ts'
import { useWrite } from '../../../api/queries.ts'
import { Confirm } from '../../../ui/dialog.tsx'
import type { Person, Session } from './session-reads.ts'

const refreshes = ['/me/sessions', '/admin/users']

/** Nothing that the person saw stays in memory, and the next page is the sign-in. */
function leave(): void {
  location.replace('/portal')
  location.reload()
}

export function EndQuestion({
  person,
  session,
  onClose,
}: {
  readonly person: Person | undefined
  readonly session: Session
  readonly onClose: () => void
}) {
  const { id, current: isOwn } = session
  const name = session.client ?? 'this session'
  const end = useWrite(
    () =>
      person === undefined
        ? api.delete('/me/sessions/{session_id}', { params: { path: { session_id: id } } })
        : api.delete('/admin/users/{user_id}/sessions/{session_id}', {
            params: { path: { user_id: person.id, session_id: id } },
          }),
    isOwn ? { onDone: leave, showsErrors: true } : { refreshes, done: `${name} is signed out.`, showsErrors: true },
  )
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Sign out ${name}?`}
      action="Sign out"
      onConfirm={() => end.mutateAsync(undefined)}
    >
      {isOwn
        ? 'This is the session you are using: you have to sign in again.'
        : 'It stops within 5 seconds on every instance. Whoever uses it has to sign in again; virtual keys go on.'}
    </Confirm>
  )
}

export function EndAllQuestion({
  person,
  count,
  hasMore,
  onClose,
}: {
  readonly person: Person | undefined
  readonly count: number
  readonly hasMore: boolean
  readonly onClose: () => void
}) {
  const all = count === 1 ? '1 session' : `${count}${hasMore ? ' or more' : ''} sessions`
  const end = useWrite(
    () =>
      person === undefined
        ? api.delete('/me/sessions')
        : api.delete('/admin/users/{user_id}/sessions', { params: { path: { user_id: person.id } } }),
    person === undefined
      ? { onDone: leave, showsErrors: true }
      : {
          refreshes: [...refreshes, '/auth/me'],
          done: `${person.subject} is signed out everywhere.`,
          showsErrors: true,
        },
  )
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={person === undefined ? 'Sign out everywhere?' : `Sign ${person.subject} out everywhere?`}
      action="Sign out everywhere"
      onConfirm={() => end.mutateAsync(undefined)}
    >
      {all} {count === 1 ? 'ends' : 'end'} within 5 seconds on every instance
      {person === undefined ? ', this one too' : ''}. Browsers, terminals and clients have to sign in again; virtual
      keys go on.
    </Confirm>
  )
}

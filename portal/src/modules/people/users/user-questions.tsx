/** The questions before something is taken from a person; each names what stops. */
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api/client.ts'
import { useGet, useWrite } from '../../../api/queries.ts'
import { Confirm } from '../../../ui/dialog.tsx'
import { useSessions } from '../../sign-in/sessions/session-reads.ts'
import { type User, userPaths } from './user-columns.tsx'

interface QuestionProps {
  readonly user: User
  readonly onClose: () => void
}

/** In words, or without a number while it is not known. */
function useKeyCount({ id }: User): string {
  const keys = useGet('/admin/keys', { params: { query: { user_id: id, status: 'active', limit: 200 } } })
  if (keys.data === undefined) return 'all active keys'
  const { length } = keys.data.data
  return length === 1 ? '1 active key' : `${length}${keys.data.has_more ? ' or more' : ''} active keys`
}

function useSessionCount({ id, subject }: User): string {
  const sessions = useSessions({ id, subject })
  if (sessions.data === undefined) return 'Every session ends'
  const { length } = sessions.data.data
  if (length === 0) return 'No session is open'
  return length === 1 ? '1 session ends' : `${length}${sessions.data.has_more ? ' or more' : ''} sessions end`
}

export function SuspendQuestion({ user, onClose }: QuestionProps) {
  const keys = useKeyCount(user)
  const sessions = useSessionCount(user)
  const suspend = useWrite(
    () => api.patch('/admin/users/{user_id}', { params: { path: { user_id: user.id } }, body: { active: false } }),
    { refreshes: userPaths, done: `${user.subject} is suspended.`, showsErrors: true },
  )
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Suspend ${user.subject}?`}
      action="Suspend"
      onConfirm={() => suspend.mutateAsync(undefined)}
    >
      {sessions} and {keys} of this person stop working within 5 seconds on every instance. Nothing is deleted; they
      work again when you let the person back in.
    </Confirm>
  )
}

export function ReleaseQuestion({ user, onClose }: QuestionProps) {
  const release = useWrite(
    () => api.delete('/admin/users/{user_id}/identity', { params: { path: { user_id: user.id } } }),
    { refreshes: userPaths, done: `${user.subject} is released from the identity.`, showsErrors: true },
  )
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Release ${user.subject} from this identity?`}
      action="Release"
      onConfirm={() => release.mutateAsync(undefined)}
    >
      Every session of this person ends; keys stay. The next sign-in through a provider with the name {user.subject} is
      taken to be this person, so do this only when you know who that will be.
    </Confirm>
  )
}

export function DeleteQuestion({ user, onClose }: QuestionProps) {
  const navigate = useNavigate()
  const keys = useKeyCount(user)
  const remove = useWrite(() => api.delete('/admin/users/{user_id}', { params: { path: { user_id: user.id } } }), {
    refreshes: userPaths.filter((path) => path !== '/admin/users'),
    refreshesList: '/admin/users',
    done: `${user.subject} is deleted.`,
    showsErrors: true,
    onDone: () => void navigate({ to: '/users' as never }),
  })
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Delete ${user.subject}?`}
      action="Delete"
      onConfirm={() => remove.mutateAsync(undefined)}
    >
      The person, {keys} and the budget go for good; records of what was spent stay. Whoever may sign in through a
      provider comes back as a new person: to keep somebody out, suspend them instead.
    </Confirm>
  )
}

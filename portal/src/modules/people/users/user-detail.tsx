/** One person: who they are, what they may spend, their keys, and how to stop them. */
import { Link, useParams } from '@tanstack/react-router'
import { ListTree, Pencil, Trash2, UserCheck, UserX } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useGet, useWrite } from '../../../api/queries.ts'
import { grantLabels, useRights } from '../../../app/rights.ts'
import { AbsentPage, isUnknown } from '../../../ui/absent.tsx'
import { Button, ButtonAnchor } from '../../../ui/button.tsx'
import { ShortId } from '../../../ui/copy.tsx'
import { Card, Columns, Facts, Page } from '../../../ui/layout.tsx'
import { Callout, OutOfDate, type Refreshed } from '../../../ui/states.tsx'
import { SubjectSelect } from '../../../ui/subject-select.tsx'
import { useNames } from '../../../ui/use-names.ts'
import { Name, Nothing, Time } from '../../../ui/values.tsx'
import { requestsHref } from '../../analytics/requests/exact-name.ts'
import { BudgetCard } from '../../budgets/budget-card.tsx'
import { SessionsCard } from '../../sign-in/sessions/sessions-card.tsx'
import { KeyRows } from './key-rows.tsx'
import { type User, UserState, userPaths } from './user-columns.tsx'
import { UserForm } from './user-form.tsx'
import { DeleteQuestion, ReleaseQuestion, SuspendQuestion } from './user-questions.tsx'

export function UserPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const user = useGet('/admin/users/{user_id}', { params: { path: { user_id: id } } })
  if (user.data === undefined || isUnknown(user.error))
    return <AbsentPage title="Person" word="person" list={{ to: '/users', text: 'All people' }} query={user} />
  // Another one is another page: no window, form or result of this one goes along.
  return <Shown key={user.data.id} user={user.data} query={user} />
}

type Open = 'form' | 'suspend' | 'release' | 'delete'

function Shown({ user, query }: { readonly user: User; readonly query: Refreshed }) {
  const [open, setOpen] = useState<Open>()
  const close = (): void => setOpen(undefined)
  const { isAdmin, mayOpen } = useRights()
  const letIn = useWrite(
    () => api.patch('/admin/users/{user_id}', { params: { path: { user_id: user.id } }, body: { active: true } }),
    { refreshes: userPaths, done: `${user.subject} may use the gateway again.` },
  )
  return (
    <Page
      title={user.subject}
      lead={user.role === 'admin' ? 'Administrator' : 'Member'}
      actions={
        <>
          {isAdmin && (
            <Button icon={Pencil} onClick={() => setOpen('form')}>
              Change
            </Button>
          )}
          {mayOpen('/requests') && (
            <ButtonAnchor icon={ListTree} href={requestsHref({ user: user.subject })}>
              Requests
            </ButtonAnchor>
          )}
          {isAdmin && user.active && (
            <Button icon={UserX} tone="danger" onClick={() => setOpen('suspend')}>
              Suspend
            </Button>
          )}
          {isAdmin && !user.active && (
            <Button icon={UserCheck} tone="primary" isBusy={letIn.isPending} onClick={() => letIn.mutate(undefined)}>
              Let back in
            </Button>
          )}
          {isAdmin && (
            <Button icon={Trash2} tone="danger" onClick={() => setOpen('delete')}>
              Delete
            </Button>
          )}
        </>
      }
    >
      <OutOfDate query={query} />
      {!user.active && (
        <Callout tone="warn" title="Suspended">
          This person cannot sign in, and their keys are refused.
        </Callout>
      )}
      <Columns min={380}>
        <About user={user} onRelease={() => setOpen('release')} />
        {isAdmin && (
          <BudgetCard
            subject={{ kind: 'user', id: user.id, name: user.subject }}
            otherwise="None of their own: the limit of their team for each member counts, else the default for everybody."
          />
        )}
      </Columns>
      <Card title="Active keys" isFlush>
        <KeyRows query={{ user_id: user.id }} empty="No active key belongs to this person." />
      </Card>
      <SessionsCard person={user} />
      {open === 'form' && <UserForm user={user} onClose={close} />}
      {open === 'suspend' && <SuspendQuestion user={user} onClose={close} />}
      {open === 'release' && <ReleaseQuestion user={user} onClose={close} />}
      {open === 'delete' && <DeleteQuestion user={user} onClose={close} />}
    </Page>
  )
}

function About({ user, onRelease }: { readonly user: User; readonly onRelease: () => void }) {
  const { isAdmin } = useRights()
  return (
    <Card title="About">
      <Facts
        facts={[
          { name: 'State', value: <UserState user={user} /> },
          { name: 'E-mail', value: user.email ?? <Nothing /> },
          { name: 'Grants', value: user.grants.length === 0 ? <Nothing word="none" /> : grantLabels(user.grants) },
          { name: 'Team', value: isAdmin ? <TeamChoice user={user} /> : <TeamName user={user} /> },
          { name: 'Last seen', value: <Time at={user.last_seen_at} /> },
          { name: 'Added', value: <Time at={user.created_at} isExact /> },
          { name: 'Id', value: <ShortId id={user.id} /> },
          { name: 'Sign-in', value: <Identity user={user} onRelease={isAdmin ? onRelease : undefined} /> },
        ]}
      />
    </Card>
  )
}

function Identity({ user, onRelease }: { readonly user: User; readonly onRelease: (() => void) | undefined }) {
  if (user.bootstrap) return 'by the password of the configuration'
  if (user.identity === null) return 'not yet; the first one binds the person to an identity'
  return (
    <span className="flex flex-col items-start gap-2">
      <span>
        {user.identity.subject} at {user.identity.issuer}
      </span>
      {onRelease !== undefined && <Button onClick={onRelease}>Release identity</Button>}
    </span>
  )
}

function TeamName({ user: { team_id: team } }: { readonly user: User }) {
  const names = useNames({ teams: [team] })
  return team === null ? <Nothing /> : <Name text={names.get(team) ?? `${team.slice(0, 8)}…`} />
}

/** In force at once: the choice shows what the gateway has, never what was only clicked. */
function TeamChoice({ user }: { readonly user: User }) {
  const move = useWrite(
    (team: string) =>
      api.put('/admin/users/{user_id}/team', {
        params: { path: { user_id: user.id } },
        body: { team_id: team === '' ? null : team },
      }),
    { refreshes: userPaths, done: `The team of ${user.subject} is saved.` },
  )
  const current = user.team_id ?? ''
  return (
    <span className="flex flex-wrap items-center gap-3">
      <SubjectSelect
        kind="team"
        label="Team"
        isLabelHidden
        none="No team"
        value={current}
        onChange={(team) => move.mutate(team)}
      />
      {current !== '' && (
        <Link to={`/teams/${current}` as never} className="text-accent hover:underline">
          Open team
        </Link>
      )}
    </span>
  )
}

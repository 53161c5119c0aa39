/** A person in a table. */
import type { Answer } from '../../../api/client.ts'
import { grantLabels } from '../../../app/rights.ts'
import { PageLink } from '../../../ui/page-link.tsx'
import { Badge } from '../../../ui/states.tsx'
import type { Column } from '../../../ui/table-column.ts'
import { Name, Nothing, Time, TwoLines } from '../../../ui/values.tsx'

export type User = Answer<'/admin/users', 'get'>['data'][number]

/** What changes when a person does. */
export const userPaths = ['/admin/users', '/admin/teams', '/admin/keys', '/admin/budgets', '/auth/me'] as const

export function UserState({ user }: { readonly user: User }) {
  return user.active ? <Badge tone="ok">Active</Badge> : <Badge tone="warn">Suspended</Badge>
}

/** In a line of its own: a badge is as wide as its word, not as the column. */
function RoleName({ role }: Pick<User, 'role'>) {
  return <span>{role === 'admin' ? <Badge tone="info">Administrator</Badge> : 'Member'}</span>
}

/** `teams` by id; undefined leaves the column out. */
export function userColumns(teams: ReadonlyMap<string, string> | undefined): readonly Column<User>[] {
  return [
    {
      id: 'subject',
      header: 'Person',
      sort: 'subject',
      cell: ({ id, subject, email }) => (
        <TwoLines
          first={
            <PageLink to={`/users/${id}`} title={subject} className="max-w-72 truncate">
              {subject}
            </PageLink>
          }
          second={email === subject ? null : email}
        />
      ),
    },
    {
      id: 'role',
      header: 'Role',
      cell: ({ role, grants }) => (
        <TwoLines first={<RoleName role={role} />} second={grants.length === 0 ? null : grantLabels(grants)} />
      ),
    },
    ...(teams === undefined
      ? []
      : ([
          {
            id: 'team',
            header: 'Team',
            cell: ({ team_id: team }) =>
              team === null ? <Nothing /> : <Name text={teams.get(team) ?? `${team.slice(0, 8)}…`} />,
          },
        ] satisfies Column<User>[])),
    { id: 'state', header: 'State', cell: (user) => <UserState user={user} /> },
    {
      id: 'identity',
      header: 'Sign-in',
      isMinor: true,
      cell: ({ identity, bootstrap }) => (bootstrap ? 'by password' : identity === null ? 'not yet' : 'by provider'),
    },
    { id: 'seen', header: 'Last seen', sort: 'last_seen_at', cell: ({ last_seen_at: at }) => <Time at={at} /> },
  ]
}

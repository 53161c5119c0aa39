/** The people of a team. */
import { UserMinus } from 'lucide-react'
import { useMemo } from 'react'
import { api } from '../../../api/client.ts'
import { useGet, useWrite } from '../../../api/queries.ts'
import { useRights } from '../../../app/rights.ts'
import { Button } from '../../../ui/button.tsx'
import { DataTable, useListParams } from '../../../ui/data-table.tsx'
import { Card } from '../../../ui/layout.tsx'
import { type User, userColumns } from '../users/user-columns.tsx'
import { type Team, teamPaths } from './team-form.tsx'

export function Members({ team }: { readonly team: Team }) {
  const params = useListParams()
  const members = useGet(
    '/admin/teams/{team_id}/members',
    { params: { path: { team_id: team.id }, query: params } },
    { keepPrevious: true },
  )
  const { mutate, isPending } = useWrite(
    ({ id }: User) =>
      api.put('/admin/users/{user_id}/team', { params: { path: { user_id: id } }, body: { team_id: null } }),
    { refreshes: teamPaths, done: ({ subject }) => `${subject} is in no team now.` },
  )
  const { isAdmin } = useRights()
  const columns = useMemo(
    () => [
      ...userColumns(undefined),
      ...(isAdmin
        ? [
            {
              id: 'actions',
              header: 'Actions',
              align: 'right' as const,
              cell: (user: User) => (
                <Button
                  tone="quiet"
                  icon={UserMinus}
                  isBusy={isPending}
                  aria-label={`Take out ${user.subject}`}
                  onClick={() => mutate(user)}
                >
                  Take out
                </Button>
              ),
            },
          ]
        : []),
    ],
    [mutate, isPending, isAdmin],
  )
  return (
    <Card isFlush>
      <DataTable
        caption={`People of ${team.name}`}
        columns={columns}
        query={members}
        rowId={({ id }) => id}
        searchLabel="Search people"
        empty={{
          title: 'Nobody is in this team',
          text: isAdmin ? 'Add a person to begin.' : 'Administrators put people into teams.',
        }}
      />
    </Card>
  )
}

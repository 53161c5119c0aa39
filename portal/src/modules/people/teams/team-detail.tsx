/** One team: its people, its budget, its keys, the settings of its clients. */
import { useNavigate, useParams } from '@tanstack/react-router'
import { ChartNoAxesCombined, ListTree, Pencil, Route, Trash2, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useGet, useWrite } from '../../../api/queries.ts'
import { useRights } from '../../../app/rights.ts'
import { useSlot } from '../../../app/slot.tsx'
import { AbsentPage, isUnknown } from '../../../ui/absent.tsx'
import { Button, ButtonAnchor } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { formatDay, formatNumber } from '../../../ui/format.ts'
import { Card, Page } from '../../../ui/layout.tsx'
import { OutOfDate, type Refreshed } from '../../../ui/states.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { BudgetCard } from '../../budgets/budget-card.tsx'
import { teamTabs } from '../slots.ts'
import { KeyRows } from '../users/key-rows.tsx'
import { AddPerson } from './add-person.tsx'
import { Members } from './members.tsx'
import { type Team, TeamForm, teamPaths } from './team-form.tsx'

export function TeamPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const team = useGet('/admin/teams/{team_id}', { params: { path: { team_id: id } } })
  if (team.data === undefined || isUnknown(team.error))
    return <AbsentPage title="Team" word="team" list={{ to: '/teams', text: 'All teams' }} query={team} />
  // Another one is another page: no window, form or result of this one goes along.
  return <Shown key={team.data.id} team={team.data} query={team} />
}

function Shown({ team, query }: { readonly team: Team; readonly query: Refreshed }) {
  const [open, setOpen] = useState<'rename' | 'delete' | 'add'>()
  const close = (): void => setOpen(undefined)
  const { isAdmin } = useRights()
  const ownTabs = useSlot(teamTabs)
  return (
    <Page
      title={team.name}
      lead={`${team.member_count === 1 ? '1 person' : `${formatNumber(team.member_count)} people`}. Made ${formatDay(team.created_at)}.`}
      actions={
        <>
          {isAdmin && (
            <Button icon={UserPlus} tone="primary" onClick={() => setOpen('add')}>
              Add a person
            </Button>
          )}
          <ButtonAnchor
            icon={ChartNoAxesCombined}
            href={`#/org-analytics?${new URLSearchParams({ team: team.name }).toString()}`}
          >
            Analytics
          </ButtonAnchor>
          {isAdmin ? (
            <>
              <ButtonAnchor icon={Route} href={`#/endpoints?tab=routing&team=${team.id}`}>
                Routing
              </ButtonAnchor>
              <Button icon={Pencil} onClick={() => setOpen('rename')}>
                Rename
              </Button>
              <Button icon={Trash2} tone="danger" onClick={() => setOpen('delete')}>
                Delete
              </Button>
            </>
          ) : (
            <ButtonAnchor icon={ListTree} href="#/requests">
              Requests
            </ButtonAnchor>
          )}
        </>
      }
    >
      <OutOfDate query={query} />
      <BudgetCard
        subject={{ kind: 'team', id: team.id, name: team.name }}
        otherwise="None: the team as a whole can spend without a limit."
      />
      <Tabs
        label="Parts of this team"
        tabs={[
          { id: 'people', label: 'People', content: () => <Members team={team} /> },
          {
            id: 'keys',
            label: 'Keys',
            content: () => (
              <Card isFlush>
                <KeyRows query={{ team_id: team.id }} empty="No active key is charged to this team." />
              </Card>
            ),
          },
          ...(isAdmin ? ownTabs.map(({ facts, Part }) => ({ ...facts, content: () => <Part team={team} /> })) : []),
        ]}
      />
      {open === 'rename' && <TeamForm team={team} onClose={close} />}
      {open === 'add' && <AddPerson team={team} onClose={close} />}
      {open === 'delete' && <DeleteTeam team={team} onClose={close} />}
    </Page>
  )
}

function DeleteTeam({ team, onClose }: { readonly team: Team; readonly onClose: () => void }) {
  const navigate = useNavigate()
  const keys = useGet('/admin/keys', { params: { query: { team_id: team.id, status: 'active', limit: 200 } } })
  const alone = (keys.data?.data ?? []).filter(({ user_id: user }) => user === null).length
  const remove = useWrite(() => api.delete('/admin/teams/{team_id}', { params: { path: { team_id: team.id } } }), {
    done: `The team ${team.name} is deleted.`,
    refreshes: teamPaths.filter((path) => path !== '/admin/teams'),
    refreshesList: '/admin/teams',
    showsErrors: true,
    onDone: () => void navigate({ to: '/teams' as never }),
  })
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Delete ${team.name}?`}
      action="Delete"
      onConfirm={() => remove.mutateAsync(undefined)}
    >
      {peopleText(team.member_count)} without a team. {keysText(keys.data?.has_more, alone)} Its budget, its endpoints
      and its settings go with it. Records of what it spent stay.
    </Confirm>
  )
}

function peopleText(count: number): string {
  if (count === 0) return 'Nobody is in it, and nobody is left'
  return count === 1 ? 'Its 1 person stays,' : `Its ${formatNumber(count)} people stay,`
}

/** `hasMore` is undefined while nothing is known. */
function keysText(hasMore: boolean | undefined, alone: number): string {
  if (hasMore === undefined) return 'Keys that belong to the team alone are revoked.'
  if (hasMore) return `${alone} or more keys that belong to the team alone are revoked.`
  return alone === 1
    ? '1 key that belongs to the team alone is revoked.'
    : `${alone} keys that belong to the team alone are revoked.`
}

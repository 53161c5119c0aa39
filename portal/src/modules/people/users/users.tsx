/** Everybody who may use the gateway. */
import { useNavigate } from '@tanstack/react-router'
import { Plus, Users } from 'lucide-react'
import { useMemo, useState } from 'react'
import { api } from '../../../api/client.ts'
import { useGet } from '../../../api/queries.ts'
import { grantTexts, useRights } from '../../../app/rights.ts'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/controls.tsx'
import { DataTable, useListParams } from '../../../ui/data-table.tsx'
import { Card, Page } from '../../../ui/layout.tsx'
import { SubjectSelect } from '../../../ui/subject-select.tsx'
import type { CsvColumn } from '../../../ui/table-export.ts'
import { useUrlState } from '../../../ui/url-state.ts'
import { useNames } from '../../../ui/use-names.ts'
import { AddSeveral } from './add-several.tsx'
import { BulkPeople } from './bulk-people.tsx'
import { type User, userColumns } from './user-columns.tsx'
import { UserForm } from './user-form.tsx'

const roles = [
  { value: '', label: 'Any role' },
  { value: 'member', label: 'Members' },
  { value: 'admin', label: 'Administrators' },
  ...grantTexts.map(({ grant, label }) => ({ value: grant, label })),
] as const

const states = [
  { value: '', label: 'Any' },
  { value: 'true', label: 'Active' },
  { value: 'false', label: 'Suspended' },
] as const

const stages = [
  { value: '', label: 'Any' },
  { value: 'invited', label: 'Invited' },
  { value: 'connected', label: 'Connected' },
  { value: 'active', label: 'Active in 7 days' },
] as const

/** What an access review asks for. */
const csvColumns: readonly CsvColumn<User>[] = [
  { header: 'id', value: (user) => user.id },
  { header: 'subject', value: (user) => user.subject },
  { header: 'email', value: (user) => user.email },
  { header: 'role', value: (user) => user.role },
  { header: 'grants', value: (user) => user.grants.join(' ') },
  { header: 'team_id', value: (user) => user.team_id },
  { header: 'active', value: (user) => String(user.active) },
  { header: 'identity', value: (user) => user.identity?.issuer ?? null },
  { header: 'last_seen_at', value: (user) => user.last_seen_at },
  { header: 'created_at', value: (user) => user.created_at },
]

const bulk = (chosen: readonly User[], clear: () => void) => <BulkPeople people={chosen} onDone={clear} />

export function UsersPage() {
  const navigate = useNavigate()
  const [state, setState] = useUrlState()
  const [adding, setAdding] = useState<'one' | 'several'>()
  const params = useListParams()
  const { role, grant, team, active, adoption } = state
  const { isAdmin } = useRights()
  const { cursor: _, ...shown } = {
    ...params,
    ...(role === undefined ? {} : { role: role as 'member' }),
    ...(grant === undefined ? {} : { grant: grant as 'audit:read' }),
    ...(team === undefined ? {} : { team_id: team }),
    ...(active === undefined ? {} : { active: active as 'true' }),
    ...(adoption === undefined ? {} : { adoption: adoption as 'active' }),
  }
  const people = useGet('/admin/users', { params: { query: { ...shown, ...params } } }, { keepPrevious: true })
  const names = useNames({ teams: (people.data?.data ?? []).map((user) => user.team_id) })
  const columns = useMemo(() => userColumns(names), [names])
  const open = ({ id }: User): void => void navigate({ to: `/users/${id}` as never })
  const close = (): void => setAdding(undefined)
  const filter = (name: string) => (value: string) => setState({ [name]: value || undefined, cursor: undefined })
  const chooseRole = (value: string): void => {
    const isGrant = grantTexts.some(({ grant: one }) => one === value)
    setState({
      role: isGrant ? undefined : value || undefined,
      grant: isGrant ? value : undefined,
      cursor: undefined,
    })
  }
  const add = isAdmin && (
    <Button tone="primary" icon={Plus} onClick={() => setAdding('one')}>
      Add a person
    </Button>
  )
  return (
    <Page
      title="People"
      lead="Who may use the gateway. People from an identity provider appear with their first sign-in."
      actions={
        isAdmin && (
          <>
            <Button icon={Users} onClick={() => setAdding('several')}>
              Add several
            </Button>
            {add}
          </>
        )
      }
    >
      <Card isFlush>
        <DataTable
          caption="People"
          columns={columns}
          query={people}
          rowId={({ id }) => id}
          searchLabel="Search people"
          nameOf={(user) => user.subject}
          {...(isAdmin ? { bulk } : {})}
          exports={{
            name: 'people',
            columns: csvColumns,
            load: (page) => api.get('/admin/users', { params: { query: { ...shown, ...page } } }),
          }}
          onOpen={open}
          filters={
            <>
              <Select label="Role" value={grant ?? role ?? ''} choices={roles} onChange={chooseRole} />
              <SubjectSelect
                isFilter
                kind="team"
                label="Team"
                none="Any team"
                value={team ?? ''}
                onChange={filter('team')}
              />
              <Select label="State" value={active ?? ''} choices={states} onChange={filter('active')} />
              <Select label="Stage" value={adoption ?? ''} choices={stages} onChange={filter('adoption')} />
            </>
          }
          empty={{ title: 'Nobody fits', text: `Take off a filter${isAdmin ? ', or add a person' : ''}.`, action: add }}
        />
      </Card>
      {adding === 'one' && <UserForm user={undefined} onClose={close} onSaved={open} />}
      {adding === 'several' && <AddSeveral onClose={close} />}
    </Page>
  )
}

/** Virtual keys: one's own, and for administrators everybody's. */
import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useMe } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable, useListParams } from '../../ui/data-table.tsx'
import { Select } from '../../ui/fields.tsx'
import { Card, Page } from '../../ui/layout.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { useNames } from '../../ui/use-names.ts'
import { CreateKey } from './create-key.tsx'
import { keyColumns } from './key-columns.tsx'
import { KeyQuestion, type Question } from './key-question.tsx'
import type { Owner } from './key-writes.ts'

const states = [
  { value: 'active', label: 'Active' },
  { value: 'expired', label: 'Expired' },
  { value: 'revoked', label: 'Revoked' },
  { value: 'any', label: 'Any state' },
] as const

export function KeysPage() {
  const me = useMe()
  const [state, setState] = useUrlState()
  const [isCreating, setIsCreating] = useState(state['new'] === '1')
  const [question, setQuestion] = useState<Question>()
  const isAdmin = me.role === 'admin'
  const owner: Owner = isAdmin && state['show'] === 'all' ? 'all' : 'mine'
  const list = useKeys(owner, state['status'])
  const shown = owner === 'all' ? (list.data?.data ?? []) : []
  const names = useNames({ people: shown.map((key) => key.user_id), teams: shown.map((key) => key.team_id) })
  const columns = useMemo(() => keyColumns(owner, names, setQuestion), [owner, names])
  const change = (next: Record<string, string | undefined>): void => setState({ ...next, cursor: undefined })
  const newKey = (
    <Button tone="primary" icon={Plus} onClick={() => setIsCreating(true)}>
      New key
    </Button>
  )
  return (
    <Page
      title="Keys"
      lead="For build servers and scripts. On your own machine use Connect: it signs you in and leaves no secret behind."
      actions={newKey}
    >
      <Card isFlush>
        <DataTable
          caption={owner === 'all' ? 'Keys of everybody' : 'My keys'}
          columns={columns}
          query={list}
          rowId={(key) => key.id}
          searchLabel="Search by name or prefix"
          filters={
            <>
              {isAdmin && (
                <Select
                  label="Show"
                  value={owner}
                  choices={[
                    { value: 'mine', label: 'My keys' },
                    { value: 'all', label: 'Everybody’s keys' },
                  ]}
                  onChange={(show) => change({ show: show === 'all' ? 'all' : undefined })}
                />
              )}
              <Select
                label="State"
                value={state['status'] ?? 'active'}
                choices={states}
                onChange={(status) => change({ status: status === 'active' ? undefined : status })}
              />
            </>
          }
          empty={{
            title: (state['status'] ?? 'active') === 'active' ? 'No active keys' : 'No keys in this state',
            text: 'A key lets a program call the models without a person who signs in.',
            action: newKey,
          }}
        />
      </Card>
      {isCreating && <CreateKey owner={owner} onClose={() => setIsCreating(false)} />}
      {question !== undefined && (
        <KeyQuestion question={question} owner={owner} onClose={() => setQuestion(undefined)} />
      )}
    </Page>
  )
}

function useKeys(owner: Owner, status = 'active') {
  const params = useListParams()
  const init = { params: { query: { ...params, ...(status === 'any' ? {} : { status: status as 'active' }) } } }
  const mine = useGet('/me/keys', init, { enabled: owner === 'mine', keepPrevious: true })
  const all = useGet('/admin/keys', init, { enabled: owner === 'all', keepPrevious: true })
  return owner === 'all' ? all : mine
}

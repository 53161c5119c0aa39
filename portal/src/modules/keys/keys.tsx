/** Virtual keys: one's own, and for administrators and auditors everybody's. */
import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { api } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { useRights } from '../../app/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/controls.tsx'
import { DataTable, useListParams } from '../../ui/data-table.tsx'
import { lateWindow } from '../../ui/late-window.tsx'
import { Card, Page } from '../../ui/layout.tsx'
import type { CsvColumn } from '../../ui/table-export.ts'
import { useUrlState } from '../../ui/url-state.ts'
import { useNames } from '../../ui/use-names.ts'
import { keyColumns } from './key-columns.tsx'
import type { Question } from './key-question.tsx'
import type { Key, Owner } from './key-writes.ts'

const BulkKeys = lateWindow(
  async () => (await import('./bulk-keys.tsx')).BulkKeys,
  ({ onDone }) => onDone(),
)
const CreateKey = lateWindow(
  async () => (await import('./create-key.tsx')).CreateKey,
  ({ onClose }) => onClose(),
)
const KeyQuestion = lateWindow(
  async () => (await import('./key-question.tsx')).KeyQuestion,
  ({ onClose }) => onClose(),
)

const states = [
  { value: 'active', label: 'Active' },
  { value: 'expired', label: 'Expired' },
  { value: 'revoked', label: 'Revoked' },
  { value: 'any', label: 'Any state' },
] as const

export function KeysPage() {
  const [state, setState] = useUrlState()
  const [isCreating, setIsCreating] = useState(state['new'] === '1')
  const [question, setQuestion] = useState<Question>()
  const { isAdmin, may } = useRights()
  const maySeeAll = may('audit:read')
  const owner: Owner = maySeeAll && state['show'] === 'all' ? 'all' : 'mine'
  const mayChange = owner === 'mine' || isAdmin
  const filter = useKeyFilter(state['status'])
  const list = useKeys(owner, filter)
  const shown = owner === 'all' ? (list.data?.data ?? []) : []
  const names = useNames({ people: shown.map((key) => key.user_id), teams: shown.map((key) => key.team_id) })
  const columns = useMemo(
    () => keyColumns(owner, names, mayChange ? setQuestion : undefined),
    [owner, names, mayChange],
  )
  const change = (next: Record<string, string | undefined>): void => setState({ ...next, cursor: undefined })
  const bulk = (chosen: readonly Key[], clear: () => void) => <BulkKeys keys={chosen} owner={owner} onDone={clear} />
  const newKey = mayChange && (
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
          nameOf={(key) => key.name}
          {...(mayChange ? { bulk } : {})}
          exports={{ name: 'keys', columns: csvColumns, load: (page) => loadKeys(owner, filter, page) }}
          filters={
            <>
              {maySeeAll && (
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

type KeyFilter = ReturnType<typeof useKeyFilter>

function useKeyFilter(status = 'active') {
  const params = useListParams()
  return { ...params, ...(status === 'any' ? {} : { status: status as 'active' }) }
}

function useKeys(owner: Owner, filter: KeyFilter) {
  const init = { params: { query: filter } }
  const mine = useGet('/me/keys', init, { enabled: owner === 'mine', keepPrevious: true })
  const all = useGet('/admin/keys', init, { enabled: owner === 'all', keepPrevious: true })
  return owner === 'all' ? all : mine
}

/** From the first page on, whichever one is shown. */
function loadKeys(owner: Owner, { cursor: _, ...filter }: KeyFilter, page: { limit: number; cursor?: string }) {
  const init = { params: { query: { ...filter, ...page } } }
  return owner === 'all' ? api.get('/admin/keys', init) : api.get('/me/keys', init)
}

const csvColumns: readonly CsvColumn<Key>[] = [
  { header: 'id', value: (key) => key.id },
  { header: 'name', value: (key) => key.name },
  { header: 'prefix', value: (key) => key.prefix },
  { header: 'user_id', value: (key) => key.user_id },
  { header: 'team_id', value: (key) => key.team_id },
  { header: 'status', value: (key) => key.status },
  { header: 'rate_limit_rpm', value: (key) => key.rate_limit_rpm },
  { header: 'spend_usd', value: (key) => key.spend_usd },
  { header: 'last_used_at', value: (key) => key.last_used_at },
  { header: 'expires_at', value: (key) => key.expires_at },
  { header: 'created_at', value: (key) => key.created_at },
]

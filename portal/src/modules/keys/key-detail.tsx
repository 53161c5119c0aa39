/** One key, as on the day it is found on the internet: whose it is, from where it is used, and how to stop it. */
import { useNavigate, useParams } from '@tanstack/react-router'
import { ListTree, RefreshCw, Trash2, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Answer } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { useRights } from '../../app/rights.ts'
import { AbsentPage, isUnknown } from '../../ui/absent.tsx'
import { Button, ButtonAnchor } from '../../ui/button.tsx'
import { ShortId } from '../../ui/copy.tsx'
import { lateWindow } from '../../ui/late-window.tsx'
import { Card, Columns, Facts, Page } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { OutOfDate, type Refreshed } from '../../ui/states.tsx'
import { useNames } from '../../ui/use-names.ts'
import { Money, Nothing, Time } from '../../ui/values.tsx'
import { requestsHref } from '../analytics/requests/exact-name.ts'
import { KeyEnd, KeyStateBadge } from './key-columns.tsx'
import type { Question } from './key-question.tsx'
import { findEnd } from './key-writes.ts'

const KeyQuestion = lateWindow(
  async () => (await import('./key-question.tsx')).KeyQuestion,
  ({ onClose }) => onClose(),
)

type ShownKey = Answer<'/admin/keys/{key_id}', 'get'>

const list = '/keys'
const everybody = { show: 'all' }

export function KeyPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const key = useGet('/admin/keys/{key_id}', { params: { path: { key_id: id } } })
  if (key.data === undefined || isUnknown(key.error))
    return <AbsentPage title="Key" word="key" list={{ to: list, text: 'Keys' }} query={key} />
  return <Shown key={key.data.id} record={key.data} query={key} />
}

function Shown({ record, query }: { readonly record: ShownKey; readonly query: Refreshed }) {
  const [kind, setKind] = useState<Question['kind']>()
  const navigate = useNavigate()
  const { isAdmin, mayOpen } = useRights()
  return (
    <Page
      title={record.name}
      lead={<code className="font-mono">{record.prefix}…</code>}
      actions={
        <>
          {/* By its id: every second laptop has a key of this name. */}
          {mayOpen('/requests') && (
            <ButtonAnchor icon={ListTree} href={requestsHref({ key: record.id })}>
              Requests
            </ButtonAnchor>
          )}
          {isAdmin && record.status === 'active' && (
            <>
              <Button icon={RefreshCw} onClick={() => setKind('rotate')}>
                Rotate
              </Button>
              <Button icon={X} tone="danger" onClick={() => setKind('revoke')}>
                Revoke
              </Button>
            </>
          )}
          {isAdmin && record.status === 'revoked' && (
            <Button icon={Trash2} tone="danger" onClick={() => setKind('delete')}>
              Delete
            </Button>
          )}
        </>
      }
    >
      <OutOfDate query={query} />
      <Columns min={380}>
        <About record={record} />
        <Addresses record={record} />
      </Columns>
      {kind !== undefined && (
        <KeyQuestion
          question={{ kind, key: record }}
          owner="all"
          onClose={() => setKind(undefined)}
          onDeleted={() => void navigate({ to: list, search: everybody } as never)}
        />
      )}
    </Page>
  )
}

function About({ record }: { readonly record: ShownKey }) {
  const names = useNames({ people: [record.user_id], teams: [record.team_id] })
  const owner = (path: string, id: string | null): ReactNode =>
    id === null ? <Nothing /> : <PageLink to={`${path}/${id}`}>{names.get(id) ?? `${id.slice(0, 8)}…`}</PageLink>
  return (
    <Card title="About">
      <Facts
        facts={[
          { name: 'State', value: <KeyStateBadge record={record} /> },
          { name: 'Person', value: owner('/users', record.user_id) },
          { name: 'Team', value: owner('/teams', record.team_id) },
          { name: 'Last used', value: <Time at={record.last_used_at} /> },
          { name: 'Spend', value: <Money usd={record.spend_usd} /> },
          {
            name: 'Limit',
            value: record.rate_limit_rpm === null ? <Nothing word="no limit" /> : `${record.rate_limit_rpm} a minute`,
          },
          { name: 'Models', value: record.allowed_models?.join(', ') ?? 'every model of its owner' },
          record.status === 'revoked'
            ? { name: 'Revoked', value: <Time at={record.revoked_at} isExact /> }
            : { name: 'Expires', value: <KeyEnd at={findEnd(record)} /> },
          { name: 'Made', value: <Time at={record.created_at} isExact /> },
          { name: 'Id', value: <ShortId id={record.id} /> },
        ]}
      />
    </Card>
  )
}

function Addresses({ record }: { readonly record: ShownKey }) {
  return (
    <Card title="Used from" lead="Addresses of callers, latest first. A new one is here after some seconds." isFlush>
      <PlainTable
        caption="Used from"
        rows={record.addresses}
        rowId={({ address }) => address}
        empty="No call has been made with this key lately."
        columns={[
          { id: 'address', header: 'Address', cell: ({ address }) => <code className="font-mono">{address}</code> },
          { id: 'first', header: 'First seen', cell: ({ first_seen_at: at }) => <Time at={at} /> },
          { id: 'last', header: 'Last seen', cell: ({ last_seen_at: at }) => <Time at={at} /> },
        ]}
      />
    </Card>
  )
}

/** Where calls go: the endpoints, and which teams use which. */
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useRights } from '../../app/rights.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable, useListParams } from '../../ui/data-table.tsx'
import { formatCount, formatDurationMs, formatShare } from '../../ui/format.ts'
import { Card, Page } from '../../ui/layout.tsx'
import { Badge } from '../../ui/states.tsx'
import type { Column } from '../../ui/table-column.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { Name, Nothing } from '../../ui/values.tsx'
import { findHour, type LastHour, useLastHour } from '../operations/health/last-hour.ts'
import { OfHour } from '../operations/health/of-hour.tsx'
import { type Endpoint, Health, readAccount } from './endpoint-facts.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { TeamRouting } from './team-routing.tsx'

const columnsWith = (hour: LastHour): readonly Column<Endpoint>[] => [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    cell: (endpoint) => (
      <span className="inline-flex flex-wrap items-center gap-2">
        <Link to={`/endpoints/${endpoint.id}` as never} className="text-accent hover:underline">
          <Name text={endpoint.name} />
        </Link>
        {endpoint.is_default && <Badge tone="info">Default</Badge>}
      </span>
    ),
  },
  {
    id: 'health',
    header: 'Health',
    cell: (endpoint) => <Health status={endpoint.health_status} isEnabled={endpoint.enabled} />,
  },
  {
    id: 'place',
    header: 'Region',
    cell: (endpoint) => `${endpoint.region} · ${endpoint.routing_prefix}`,
  },
  { id: 'account', header: 'Account', isMinor: true, cell: (endpoint) => readAccount(endpoint.role_arn) },
  {
    id: 'priority',
    header: 'Priority',
    sort: 'priority',
    align: 'right',
    isMinor: true,
    cell: (endpoint) => endpoint.priority,
  },
  {
    id: 'calls',
    header: 'Calls, last hour',
    align: 'right',
    cell: ({ id }) => (
      <OfHour sums={findHour(hour, id)}>{({ calls }) => <span className="tabular">{formatCount(calls)}</span>}</OfHour>
    ),
  },
  {
    id: 'errors',
    header: 'Failed or throttled',
    align: 'right',
    isMinor: true,
    cell: ({ id }) => (
      <OfHour sums={findHour(hour, id)}>
        {({ calls, failed }) =>
          calls === 0 ? <Nothing /> : <span className="tabular">{formatShare(failed / calls)}</span>
        }
      </OfHour>
    ),
  },
  {
    id: 'first',
    header: 'First token',
    align: 'right',
    isMinor: true,
    cell: ({ stats }) =>
      stats.first_token_p50_ms_1h === null ? <Nothing /> : formatDurationMs(stats.first_token_p50_ms_1h),
  },
]

export function EndpointsPage() {
  const { isAdmin } = useRights()
  const [isAdding, setIsAdding] = useState(false)
  const add = isAdmin && (
    <Button tone="primary" icon={Plus} onClick={() => setIsAdding(true)}>
      Add endpoint
    </Button>
  )
  return (
    <Page
      title="Endpoints"
      lead="Accounts and regions of Amazon Bedrock that answer for this gateway. When one fails, the next one is asked."
      actions={add}
    >
      <Tabs
        label="Endpoints or routing"
        tabs={[
          { id: 'all', label: 'Endpoints', content: () => <EndpointList add={add} /> },
          ...(isAdmin ? [{ id: 'routing', label: 'Teams and routing', content: () => <TeamRouting /> }] : []),
        ]}
      />
      {isAdding && <EndpointForm endpoint={undefined} onClose={() => setIsAdding(false)} />}
    </Page>
  )
}

function EndpointList({ add }: { readonly add: React.ReactNode }) {
  const navigate = useNavigate()
  const hour = useLastHour()
  const columns = useMemo(() => columnsWith(hour), [hour])
  const endpoints = useGet(
    '/admin/endpoints',
    { params: { query: useListParams() } },
    { keepPrevious: true, refetchInterval: 30_000 },
  )
  return (
    <Card isFlush>
      <DataTable
        caption="Endpoints"
        columns={columns}
        query={endpoints}
        rowId={(endpoint) => endpoint.id}
        searchLabel="Search endpoints"
        onOpen={(endpoint) => void navigate({ to: `/endpoints/${endpoint.id}` as never })}
        empty={{ title: 'No endpoints', text: 'Without one no call can be answered.', action: add }}
      />
    </Card>
  )
}

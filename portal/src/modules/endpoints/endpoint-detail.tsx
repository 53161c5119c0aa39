/** One endpoint: its state, what it may do, what it offers, and its overrides. */
import { useNavigate, useParams } from '@tanstack/react-router'
import { Pencil, ShieldCheck, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Answer, api } from '../../api/client.ts'
import { useGet, useWrite } from '../../api/queries.ts'
import { useRights } from '../../app/rights.ts'
import { AbsentPage, isUnknown } from '../../ui/absent.tsx'
import { Button } from '../../ui/button.tsx'
import { ShortId } from '../../ui/copy.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { formatCount, formatCounted, formatDurationMs } from '../../ui/format.ts'
import { Card, Columns, Facts, Figure, FigureRow, Page } from '../../ui/layout.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Badge, Callout, OutOfDate, QueryView, type Refreshed, type Tone } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Nothing, Time } from '../../ui/values.tsx'
import { findHour, useLastHour } from '../operations/health/last-hour.ts'
import { OfHour } from '../operations/health/of-hour.tsx'
import { AffectedTeams } from './affected-teams.tsx'
import { Capabilities } from './capabilities.tsx'
import { Drain } from './drain.tsx'
import { type Endpoint, endpointPaths, Health, readAccount } from './endpoint-facts.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { Overrides } from './overrides.tsx'

export function EndpointPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const endpoint = useGet('/admin/endpoints/{id}', { params: { path: { id } } }, { refetchInterval: 30_000 })
  if (endpoint.data === undefined || isUnknown(endpoint.error))
    return (
      <AbsentPage
        title="Endpoint"
        word="endpoint"
        list={{ to: '/endpoints', text: 'All endpoints' }}
        query={endpoint}
      />
    )
  // Another one is another page: no window, form or result of this one goes along.
  return <Shown key={endpoint.data.id} endpoint={endpoint.data} query={endpoint} />
}

function Shown({ endpoint, query }: { readonly endpoint: Endpoint; readonly query: Refreshed }) {
  const [isEditing, setIsEditing] = useState(false)
  const { isAdmin } = useRights()
  const path = { params: { path: { id: endpoint.id } } }
  const check = useWrite(() => api.post('/admin/endpoints/{id}/check', path), { refreshes: endpointPaths })
  return (
    <Page
      title={endpoint.name}
      lead={`${endpoint.region} · profiles of ${endpoint.routing_prefix} · ${readAccount(endpoint.role_arn)}`}
      actions={
        <>
          <Button icon={ShieldCheck} tone="primary" isBusy={check.isPending} onClick={() => check.mutate(undefined)}>
            Check now
          </Button>
          {isAdmin ? (
            <>
              <Button icon={Pencil} onClick={() => setIsEditing(true)}>
                Change
              </Button>
              <MoreActions endpoint={endpoint} />
            </>
          ) : (
            endpoint.enabled && !endpoint.is_default && <Drain endpoint={endpoint} />
          )}
        </>
      }
    >
      <OutOfDate query={query} />
      {endpoint.health_status === 'unhealthy' && endpoint.health_reason !== null && (
        <Callout tone="bad" title="Unhealthy">
          {endpoint.health_reason}
        </Callout>
      )}
      {endpoint.warnings.map(({ code, model_id: modelId, message }) => (
        <Callout key={`${code} ${modelId}`} tone="warn" title={warningTitles[code]}>
          {message}
        </Callout>
      ))}
      {check.data !== undefined && <Checked result={check.data} />}
      <Statistics endpoint={endpoint} />
      <Tabs
        label="Parts of this endpoint"
        tabs={[
          { id: 'about', label: 'About', content: () => <About endpoint={endpoint} /> },
          {
            id: 'overrides',
            label: `Overrides (${endpoint.aip_overrides.length})`,
            content: () => <Overrides endpoint={endpoint} />,
          },
          { id: 'models', label: 'Models', content: () => <Models id={endpoint.id} /> },
          { id: 'capabilities', label: 'Capabilities', content: () => <Capabilities endpoint={endpoint} /> },
          { id: 'quotas', label: 'Quotas', content: () => <Quotas id={endpoint.id} /> },
        ]}
      />
      {isEditing && <EndpointForm endpoint={endpoint} onClose={() => setIsEditing(false)} />}
    </Page>
  )
}

const warningTitles: Readonly<Record<Endpoint['warnings'][number]['code'], string>> = {
  override_model_mismatch: 'Override with another model’s profile',
  no_inference_profile: 'No inference profiles',
}

function MoreActions({ endpoint }: { readonly endpoint: Endpoint }) {
  const [isDeleting, setIsDeleting] = useState(false)
  const navigate = useNavigate()
  const hour = findHour(useLastHour(), endpoint.id)
  const path = { params: { path: { id: endpoint.id } } }
  const makeDefault = useWrite(() => api.put('/admin/endpoints/{id}/default', path), {
    refreshes: endpointPaths,
    done: `${endpoint.name} is the default endpoint now.`,
  })
  const remove = useWrite(() => api.delete('/admin/endpoints/{id}', path), {
    done: `${endpoint.name} is deleted.`,
    refreshes: ['/admin/status', '/admin/teams'],
    refreshesList: '/admin/endpoints',
    showsErrors: true,
    onDone: () => void navigate({ to: '/endpoints' as never }),
  })
  if (endpoint.is_default) return null
  return (
    <>
      {endpoint.enabled && (
        <Button icon={Star} isBusy={makeDefault.isPending} onClick={() => makeDefault.mutate(undefined)}>
          Make default
        </Button>
      )}
      <Drain endpoint={endpoint} />
      <Button icon={Trash2} tone="danger" onClick={() => setIsDeleting(true)}>
        Delete
      </Button>
      <Confirm
        isOpen={isDeleting}
        onClose={() => setIsDeleting(false)}
        title={`Delete ${endpoint.name}?`}
        action="Delete"
        onConfirm={() => remove.mutateAsync(undefined)}
      >
        {typeof hour === 'string'
          ? 'Its calls'
          : `It served ${formatCounted(hour.calls, 'call')} in the last hour; they`}{' '}
        go to the other endpoints. Its {formatCounted(endpoint.aip_overrides.length, 'override')} and its places in team
        routing go with it. Records of what it served stay.
        <div className="mt-3">
          <AffectedTeams endpointId={endpoint.id} effect="if_deleted" />
        </div>
      </Confirm>
    </>
  )
}

type CheckResult = Answer<'/admin/endpoints/{id}/check', 'post'>

const checkTones: Readonly<Record<CheckResult['permissions'][number]['status'], readonly [Tone, string]>> = {
  ok: ['ok', 'Allowed'],
  denied: ['bad', 'Denied'],
  failed: ['warn', 'Failed'],
  not_checked: ['neutral', 'Not checked'],
}

const permissionNames: Readonly<Record<CheckResult['permissions'][number]['permission'], string>> = {
  invoke: 'Invoke a model',
  stream: 'Invoke with a stream',
  list: 'List inference profiles',
  get: 'Read an inference profile',
  quotas: 'List service quotas',
}

function Checked({ result }: { readonly result: CheckResult }) {
  return (
    <Card
      title="What each permission answered"
      lead={
        <>
          Checked <Time at={result.checked_at} isExact />
        </>
      }
      isFlush
    >
      <PlainTable
        caption="Permissions"
        rows={result.permissions}
        rowId={({ permission }) => permission}
        empty="Nothing was asked."
        columns={[
          { id: 'permission', header: 'Permission', cell: ({ permission }) => permissionNames[permission] },
          {
            id: 'status',
            header: 'Answer',
            cell: ({ status }) => <Badge tone={checkTones[status][0]}>{checkTones[status][1]}</Badge>,
          },
          { id: 'message', header: 'In words', cell: ({ message }) => message ?? <Nothing /> },
        ]}
      />
    </Card>
  )
}

function Statistics({ endpoint: { stats, ...endpoint } }: { readonly endpoint: Endpoint }) {
  const { first_token_p50_ms_1h: first, latency_p50_ms_1h: median, latency_p95_ms_1h: slow } = stats
  const hour = findHour(useLastHour(), endpoint.id)
  return (
    <FigureRow>
      <Figure
        name="Health"
        value={<Health status={endpoint.health_status} isEnabled={endpoint.enabled} />}
        detail={
          <>
            checked <Time at={endpoint.last_checked_at} />
          </>
        }
      />
      <Figure
        name="Calls, last hour"
        value={<OfHour sums={hour}>{({ calls }) => formatCount(calls)}</OfHour>}
        detail={
          <OfHour sums={hour} unknown="not known">
            {({ failed }) => `${formatCount(failed)} failed or throttled`}
          </OfHour>
        }
      />
      <Figure
        name="Throttled"
        value={formatCount(stats.throttles_1h)}
        detail={`${formatCount(stats.failovers_1h)} went elsewhere`}
      />
      <Figure
        name="First token"
        value={first === null ? <Nothing /> : formatDurationMs(first)}
        detail={first === null ? 'no stream in the last hour' : 'in the median'}
      />
      <Figure
        name="Whole answer"
        value={median === null ? <Nothing /> : formatDurationMs(median)}
        detail={slow === null ? 'no answer in the last hour' : `95 of 100 within ${formatDurationMs(slow)}`}
      />
    </FigureRow>
  )
}

function About({ endpoint }: { readonly endpoint: Endpoint }) {
  return (
    <Columns>
      <Card title="Place">
        <Facts
          facts={[
            { name: 'Id', value: <ShortId id={endpoint.id} /> },
            { name: 'Region', value: endpoint.region },
            { name: 'Scope', value: endpoint.routing_prefix },
            { name: 'Role', value: endpoint.role_arn ?? 'the gateway’s own' },
            { name: 'External id', value: endpoint.external_id ?? <Nothing /> },
            { name: 'Added', value: <Time at={endpoint.created_at} isExact /> },
          ]}
        />
      </Card>
      <Card title="Use">
        <Facts
          facts={[
            { name: 'Enabled', value: endpoint.enabled ? 'yes' : 'no' },
            { name: 'Default', value: endpoint.is_default ? 'yes' : 'no' },
            { name: 'Priority', value: endpoint.priority },
            { name: 'Models', value: `${endpoint.available_models.length} found by the last check` },
            ...(endpoint.inference_profile_arn === null
              ? []
              : [{ name: 'Old profile', value: `${endpoint.inference_profile_arn} (deprecated: use overrides)` }]),
          ]}
        />
      </Card>
    </Columns>
  )
}

function Models({ id }: { readonly id: string }) {
  const models = useGet('/admin/endpoints/{id}/models', { params: { path: { id } } })
  return (
    <Card title="Inference profiles" lead="As the hosted service lists them now." isFlush>
      <QueryView query={models}>
        {({ data, unavailable_reason: reason }) => (
          <PlainTable
            caption="Inference profiles"
            rows={data}
            rowId={(model) => model.profile_id}
            empty={reason ?? 'This account offers no profile of this scope.'}
            columns={[
              { id: 'name', header: 'Name', cell: (model) => model.name },
              {
                id: 'profile',
                header: 'Profile',
                cell: (model) => <code className="font-mono text-12">{model.profile_id}</code>,
              },
              { id: 'status', header: 'State', isMinor: true, cell: (model) => model.status },
            ]}
          />
        )}
      </QueryView>
    </Card>
  )
}

function Quotas({ id }: { readonly id: string }) {
  const quotas = useGet('/admin/endpoints/{id}/quotas', { params: { path: { id } } })
  return (
    <Card title="Service quotas" lead="Limits of the account in this region, remembered for five minutes." isFlush>
      <QueryView query={quotas}>
        {({ data, unavailable_reason: reason }) => (
          <PlainTable
            caption="Service quotas"
            rows={data}
            rowId={(quota) => quota.code}
            empty={reason ?? 'The account reports no quota for these models.'}
            columns={[
              { id: 'name', header: 'Quota', cell: (quota) => quota.name },
              {
                id: 'value',
                header: 'Value',
                align: 'right',
                cell: (quota) => <span className="tabular">{formatCount(quota.value)}</span>,
              },
              {
                id: 'adjustable',
                header: 'Can be raised',
                isMinor: true,
                cell: (quota) => (quota.adjustable ? 'yes' : 'no'),
              },
            ]}
          />
        )}
      </QueryView>
    </Card>
  )
}

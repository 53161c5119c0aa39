/** Every call of one's own tools: how it went, how long it took and what it cost. */
import { useCallback, useMemo } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useGet } from '../../../api/queries.ts'
import { SlotParts } from '../../../app/slot.tsx'
import { Select } from '../../../ui/controls.tsx'
import { ShortId } from '../../../ui/copy.tsx'
import { DataTable, useListParams } from '../../../ui/data-table.tsx'
import { FilterChip } from '../../../ui/filter-chip.tsx'
import { formatCount, formatDurationMs } from '../../../ui/format.ts'
import { Card, Page } from '../../../ui/layout.tsx'
import { Badge } from '../../../ui/states.tsx'
import type { Column } from '../../../ui/table-column.ts'
import { useOpened, useUrlState } from '../../../ui/url-state.ts'
import { Money, Nothing, Time, TwoLines } from '../../../ui/values.tsx'
import { useEmptyLog } from '../requests/empty-log.tsx'
import { modelShown, nameWanted } from '../requests/exact-name.ts'
import { OwnRequestDetail } from '../requests/request-detail.tsx'
import { RequestDrawer } from '../requests/request-drawer.tsx'
import { TimeFilter, useTimeSpan } from '../requests/time-filter.tsx'
import { viewActions } from '../slots.ts'

type OwnRequest = Answer<'/me/requests', 'get'>['data'][number]

const columnsWith = (open: (request: OwnRequest) => void): readonly Column<OwnRequest>[] => [
  {
    id: 'at',
    header: 'Time',
    cell: (request) => (
      <button type="button" className="text-accent hover:underline" onClick={() => open(request)}>
        <Time at={request.at} hasSeconds />
      </button>
    ),
  },
  {
    id: 'model',
    header: 'Model',
    cell: ({ model, key }) => <TwoLines first={modelShown(model)} second={key === null ? null : `key ${key}`} />,
  },
  { id: 'state', header: 'Status', cell: (request) => <RequestState request={request} /> },
  { id: 'total', header: 'Took', align: 'right', cell: (request) => formatDurationMs(request.duration_ms) },
  { id: 'cost', header: 'Cost', align: 'right', cell: (request) => <Money usd={request.cost_usd} /> },
  // The minor ones last: where long errors take the room, those are what is scrolled to.
  {
    id: 'first',
    header: 'First token',
    align: 'right',
    isMinor: true,
    cell: ({ first_token_ms: ms }) => (ms === null ? <Nothing /> : formatDurationMs(ms)),
  },
  {
    id: 'tokens',
    header: 'Tokens in / out',
    align: 'right',
    isMinor: true,
    cell: ({ tokens }) => `${formatCount(readTokens(tokens))} / ${formatCount(tokens.output)}`,
  },
  {
    id: 'id',
    header: 'Request',
    isMinor: true,
    cell: (request) => <ShortId id={request.request_id} label="Copy the request id" />,
  },
]

function readTokens(tokens: OwnRequest['tokens']): number {
  return tokens.input + tokens.cache_read + tokens.cache_write_5m + tokens.cache_write_1h
}

function RequestState({ request }: { readonly request: OwnRequest }) {
  if (request.status < 400) return <Badge tone="ok">Answered</Badge>
  const reason = request.error_type?.replaceAll('_', ' ') ?? ''
  return <Badge tone={request.status === 429 ? 'warn' : 'bad'}>{`${request.status} ${reason}`.trim()}</Badge>
}

export function MyRequestsPage() {
  const [state, setState] = useUrlState()
  const { sort: _, ...params } = useListParams()
  const { status, model, session_id: session } = state
  const span = useTimeSpan()
  const empty = useEmptyLog('No calls yet')
  const { id, open: openId, close } = useOpened()
  const open = useCallback(({ request_id: request }: OwnRequest) => openId(request), [openId])
  const columns = useMemo(() => columnsWith(open), [open])
  const requests = useGet(
    '/me/requests',
    {
      params: {
        query: {
          ...params,
          ...span,
          ...(status === undefined ? {} : { status }),
          ...(model === undefined ? {} : { model }),
          ...(session === undefined ? {} : { session_id: session }),
        },
      },
    },
    { keepPrevious: true, refetchInterval: 15_000 },
  )
  return (
    <Page
      title="My requests"
      lead="Newest first. What you and the model wrote is not stored; only what happened and what it cost."
      actions={<SlotParts slot={viewActions} props={{}} />}
    >
      <Card isFlush>
        <DataTable
          caption="My requests"
          columns={columns}
          query={requests}
          rowId={(request) => request.request_id}
          searchLabel="status:error cost>1"
          filters={
            <>
              <Select
                label="Status"
                value={status ?? 'any'}
                choices={[
                  { value: 'any', label: 'Any' },
                  { value: 'ok', label: 'Answered' },
                  { value: 'error', label: 'Failed' },
                ]}
                onChange={(next) => setState({ status: next === 'any' ? undefined : next, cursor: undefined })}
              />
              <TimeFilter />
              {model !== undefined && (
                <FilterChip
                  text={`Model: ${modelShown(nameWanted(model))}`}
                  onRemove={() => setState({ model: undefined, cursor: undefined })}
                />
              )}
              {session !== undefined && (
                <FilterChip
                  text={`Session: ${session}`}
                  onRemove={() => setState({ session_id: undefined, cursor: undefined })}
                />
              )}
            </>
          }
          onOpen={open}
          empty={empty}
        />
      </Card>
      {id !== undefined && (
        <RequestDrawer id={id} rows={requests.data?.data ?? []} onOpen={openId} onClose={close}>
          <OwnRequestDetail id={id} />
        </RequestDrawer>
      )}
    </Page>
  )
}

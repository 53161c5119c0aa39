/** The log of every call: searched by words, filtered, watched live, and opened one by one. */
import { Radio } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { api } from '../../../api/client.ts'
import { useGet } from '../../../api/queries.ts'
import { useRights } from '../../../app/rights.ts'
import { SlotParts } from '../../../app/slot.tsx'
import { Button } from '../../../ui/button.tsx'
import { DataTable, useListParams } from '../../../ui/data-table.tsx'
import { Card, Page } from '../../../ui/layout.tsx'
import { useOpened, useUrlState } from '../../../ui/url-state.ts'
import { viewActions } from '../slots.ts'
import { useEmptyLog } from './empty-log.tsx'
import { LiveTail } from './live-tail.tsx'
import { requestCsv } from './request-csv.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestDrawer } from './request-drawer.tsx'
import { type LoggedRequest, requestColumns } from './request-facts.tsx'
import { RequestFilters, useRequestFilter } from './request-filters.tsx'
import { SearchHelp } from './search-help.tsx'

export function RequestsPage() {
  const [state, setState] = useUrlState()
  const { may, onlyTeam } = useRights()
  const mayWatch = may('ops:operate')
  const team = onlyTeam('ops:operate')
  const isLive = mayWatch && state['live'] === '1'
  const params = useListParams()
  const { cursor: _, ...shown } = params
  const filter = useRequestFilter()
  const list = useGet(
    '/admin/requests',
    { params: { query: { ...params, ...filter } } },
    { keepPrevious: true, enabled: !isLive },
  )
  const empty = useEmptyLog('No calls yet')
  const { id, open: openId, close } = useOpened()
  const open = useCallback(({ request_id: request }: LoggedRequest) => openId(request), [openId])
  const columns = useMemo(() => requestColumns(open), [open])
  return (
    <Page
      title="Requests"
      lead={`Every call${team === undefined ? '' : ` of your team ${team}`}, the newest first. Prompts and answers are not stored.`}
      actions={
        <>
          <SlotParts slot={viewActions} props={{}} />
          {mayWatch && (
            <Button
              icon={Radio}
              tone={isLive ? 'primary' : 'plain'}
              aria-pressed={isLive}
              onClick={() => setState({ live: isLive ? undefined : '1' })}
            >
              Live
            </Button>
          )}
        </>
      }
    >
      {isLive ? (
        <>
          <Card>
            <div className="flex flex-wrap items-center gap-2">
              <RequestFilters />
            </div>
          </Card>
          <LiveTail open={open} />
        </>
      ) : (
        <>
          <Card isFlush>
            <DataTable
              caption="Requests"
              columns={columns}
              query={list}
              rowId={(request) => request.request_id}
              searchLabel="Search: status:error cost>1"
              filters={<RequestFilters />}
              onOpen={open}
              exports={{
                name: 'requests',
                columns: requestCsv,
                load: (page) => api.get('/admin/requests', { params: { query: { ...shown, ...filter, ...page } } }),
              }}
              empty={empty}
            />
          </Card>
          <SearchHelp />
        </>
      )}
      {id !== undefined && (
        <RequestDrawer id={id} rows={list.data?.data ?? []} onOpen={openId} onClose={close}>
          <RequestDetail id={id} />
        </RequestDrawer>
      )}
    </Page>
  )
}

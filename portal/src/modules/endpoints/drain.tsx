/** Takes an endpoint out of service: first who uses it and where their calls go, then the seconds until every instance follows. */
import { CircleMinus, CirclePlus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Answer, api } from '../../api/client.ts'
import { useGet, useWrite } from '../../api/queries.ts'
import { useRights } from '../../app/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatCounted } from '../../ui/format.ts'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Badge, Callout, Failure, QueryView } from '../../ui/states.tsx'
import { type Endpoint, endpointPaths, Health } from './endpoint-facts.tsx'

/** Every instance asks for changes this often. */
const FOLLOW_SECONDS = 5

export function Drain({ endpoint }: { readonly endpoint: Endpoint }) {
  const [isOpen, setIsOpen] = useState(false)
  const { isAdmin } = useRights()
  const putBack = useWrite(() => switchTo(endpoint.id, true), {
    refreshes: endpointPaths,
    done: `${endpoint.name} gets calls again.`,
  })
  return (
    <>
      {endpoint.enabled ? (
        <Button icon={CircleMinus} onClick={() => setIsOpen(true)}>
          {isAdmin ? 'Drain' : 'Preview of a drain'}
        </Button>
      ) : (
        <Button icon={CirclePlus} isBusy={putBack.isPending} onClick={() => putBack.mutate(undefined)}>
          Put back
        </Button>
      )}
      {isOpen && <DrainWindow endpoint={endpoint} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function switchTo(id: string, enabled: boolean) {
  return api.put('/admin/endpoints/{id}', { params: { path: { id } }, body: { enabled } })
}

function DrainWindow({ endpoint, onClose }: { readonly endpoint: Endpoint; readonly onClose: () => void }) {
  const preview = useGet('/admin/endpoints/{id}/drain', { params: { path: { id: endpoint.id } } })
  const { isAdmin } = useRights()
  const drain = useWrite(() => switchTo(endpoint.id, false), { refreshes: endpointPaths, showsErrors: true })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={drain.isSuccess ? `${endpoint.name} is taken out` : `Take ${endpoint.name} out of service?`}
      {...(isAdmin ? {} : { lead: 'This shows what would follow. An administrator takes it out.' })}
    >
      {drain.isSuccess ? (
        <Following onClose={onClose} />
      ) : (
        <QueryView query={preview}>
          {(found) => (
            <div className="flex flex-col gap-4">
              <Effect preview={found} />
              {drain.error !== null && <Failure error={drain.error} title="That did not work" />}
              <div className="flex flex-wrap justify-end gap-2">
                <Button onClick={onClose}>{isAdmin ? 'Cancel' : 'Close'}</Button>
                {isAdmin && (
                  <Button tone="danger" isBusy={drain.isPending} onClick={() => drain.mutate(undefined)}>
                    Take it out
                  </Button>
                )}
              </div>
            </div>
          )}
        </QueryView>
      )}
    </Dialog>
  )
}

type Preview = Answer<'/admin/endpoints/{id}/drain', 'get'>

function Effect({ preview: { requests_1h: calls, teams } }: { readonly preview: Preview }) {
  const stranded = teams.filter(({ next }) => next === null)
  return (
    <>
      <p className="text-text-2">
        It served {formatCounted(calls, 'call')} in the last hour. New calls go elsewhere, those that are running end by
        themselves, and its settings stay.
      </p>
      {stranded.length > 0 && (
        <Callout
          tone="bad"
          title={
            stranded.length === 1 ? 'One team has no other endpoint' : `${stranded.length} teams have no other endpoint`
          }
        >
          Their calls will be refused: {stranded.map(({ name }) => name).join(', ')}.
        </Callout>
      )}
      <PlainTable
        caption="Teams that use it"
        rows={teams}
        rowId={({ team_id }) => team_id}
        empty="No team has it assigned."
        columns={[
          { id: 'team', header: 'Team', cell: ({ name }) => name },
          {
            id: 'next',
            header: 'Goes to',
            cell: ({ next }) =>
              next === null ? (
                <Badge tone="bad">Nowhere</Badge>
              ) : (
                <span className="inline-flex flex-wrap items-center gap-2">
                  {next.name} <Health status={next.health_status} />
                </span>
              ),
          },
        ]}
      />
    </>
  )
}

function Following({ onClose }: { readonly onClose: () => void }) {
  const [left, setLeft] = useState(FOLLOW_SECONDS)
  useEffect(() => {
    if (left === 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1_000)
    return () => clearTimeout(timer)
  }, [left])
  return (
    <div className="flex flex-col gap-4">
      <p className="text-text-2" role="status">
        {left > 0
          ? `Every instance follows within ${left} s.`
          : 'No instance sends new calls there. Those that are running end by themselves.'}
      </p>
      <div className="flex justify-end">
        <Button tone="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  )
}

/** Which endpoints a team may use, in which order, by which strategy. */
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { type Answer, api } from '../../api/client.ts'
import { useGet, useWrite } from '../../api/queries.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/controls.tsx'
import { Card } from '../../ui/layout.tsx'
import { Callout, Empty, Failure, QueryView } from '../../ui/states.tsx'
import { SubjectSelect } from '../../ui/subject-select.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { type Endpoint, Health, strategies } from './endpoint-facts.tsx'

type Routing = Answer<'/admin/teams/{team_id}/endpoints', 'get'>

interface Place {
  readonly endpoint_id: string
  readonly priority: number
}

/** As stored: equal priorities stay equal, since new users are spread over them. */
function storedPlaces({ endpoints }: Routing): readonly Place[] {
  return endpoints
    .map(({ endpoint_id, priority }) => ({ endpoint_id, priority }))
    .sort((one, other) => one.priority - other.priority)
}

/** An order that somebody has made by hand has no equals. */
function moved(places: readonly Place[], index: number, by: number): readonly Place[] {
  const next = [...places]
  const [taken] = next.splice(index, 1)
  if (taken !== undefined) next.splice(index + by, 0, taken)
  return next.map((place, at) => ({ ...place, priority: at + 1 }))
}

function withLast(places: readonly Place[], id: string): readonly Place[] {
  return [...places, { endpoint_id: id, priority: (places.at(-1)?.priority ?? 0) + 1 }]
}

export function TeamRouting() {
  const [state, setState] = useUrlState()
  const teams = useGet('/admin/teams', { params: { query: { limit: 1 } } })
  const endpoints = useGet('/admin/endpoints', { params: { query: { limit: 200 } } })
  return (
    <Card
      title="Routing of a team"
      lead="A team without an assignment uses the default endpoint and, when that fails, the others by their priority."
    >
      <QueryView query={teams}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No teams yet">Routing is decided for teams. Make one under Teams.</Empty>
          ) : (
            <div className="flex flex-col gap-4">
              <SubjectSelect
                isFilter
                kind="team"
                label="Team"
                none="Choose a team"
                value={state['team'] ?? ''}
                onChange={(team) => setState({ team: team || undefined })}
              />
              {state['team'] !== undefined && (
                <QueryView query={endpoints}>
                  {(all) => <RoutingView key={state['team']} teamId={state['team'] ?? ''} endpoints={all.data} />}
                </QueryView>
              )}
            </div>
          )
        }
      </QueryView>
    </Card>
  )
}

/** Soon enough to hear of somebody else's change before one's own is complete. */
const REFRESH_MS = 15_000

function RoutingView({ teamId, endpoints }: { readonly teamId: string; readonly endpoints: readonly Endpoint[] }) {
  const init = { params: { path: { team_id: teamId } } }
  const stored = useGet('/admin/teams/{team_id}/endpoints', init, { refetchInterval: REFRESH_MS })
  return (
    <QueryView query={stored}>
      {(routing) => <Editor teamId={teamId} routing={routing} endpoints={endpoints} />}
    </QueryView>
  )
}

interface EditorProps {
  readonly teamId: string
  readonly routing: Routing
  readonly endpoints: readonly Endpoint[]
}

interface Draft {
  readonly places: readonly Place[]
  readonly strategy: Routing['routing_strategy']
  /** What was in force when it was begun. */
  readonly since: Routing
}

/** Shows what is in force, whoever changes it, until somebody begins to change it here. */
function Editor({ teamId, routing, endpoints }: EditorProps) {
  const [draft, setDraft] = useState<Draft>()
  const shown = draft ?? { places: storedPlaces(routing), strategy: routing.routing_strategy, since: routing }
  const { places, strategy } = shown
  const change = (next: Partial<Draft>): void => setDraft({ ...shown, ...next })
  const setPlaces = (next: readonly Place[]): void => change({ places: next })
  const save = useWrite(
    () =>
      api.put('/admin/teams/{team_id}/endpoints', {
        params: { path: { team_id: teamId } },
        body: { routing_strategy: strategy, endpoints: [...places] },
      }),
    {
      refreshes: ['/admin/teams/{team_id}/endpoints'],
      done: places.length === 0 ? 'The team uses the default endpoint again.' : 'The routing of the team is saved.',
      showsErrors: true,
    },
  )
  const isOvertaken = shown.since !== routing && !save.isPending
  const saveDraft = async (): Promise<void> => {
    await save.mutateAsync(undefined).then(
      () => setDraft((now) => (now === draft ? undefined : now)),
      // Shown below.
      () => undefined,
    )
  }
  const free = endpoints.filter(({ id }) => !places.some((place) => place.endpoint_id === id))
  return (
    <div className="flex flex-col gap-4">
      <Select
        label="Strategy"
        value={strategy}
        choices={strategies}
        onChange={(next) => change({ strategy: next as Routing['routing_strategy'] })}
      />
      {places.length === 0 ? (
        <p className="text-text-3">No endpoint is assigned: the team uses the default.</p>
      ) : (
        <ol className="flex flex-col divide-y divide-line rounded-8 border border-line">
          {places.map(({ endpoint_id: id, priority }, index) => {
            const endpoint = endpoints.find((one) => one.id === id)
            const name = endpoint?.name ?? id
            return (
              <li key={id} className="flex flex-wrap items-center gap-3 px-3 py-2">
                <span className="tabular text-13 text-text-3">Priority {priority}</span>
                <span className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">{name}</span>
                {endpoint !== undefined && <Health status={endpoint.health_status} isEnabled={endpoint.enabled} />}
                <span className="flex">
                  <IconButton
                    icon={ArrowUp}
                    label={`${name} earlier`}
                    disabled={index === 0}
                    onClick={() => setPlaces(moved(places, index, -1))}
                  />
                  <IconButton
                    icon={ArrowDown}
                    label={`${name} later`}
                    disabled={index === places.length - 1}
                    onClick={() => setPlaces(moved(places, index, 1))}
                  />
                  <IconButton
                    icon={X}
                    label={`Take ${name} out`}
                    onClick={() => setPlaces(places.filter((place) => place.endpoint_id !== id))}
                  />
                </span>
              </li>
            )
          })}
        </ol>
      )}
      <div className="flex flex-wrap gap-2">
        {free.map(({ id, name }) => (
          <Button key={id} icon={Plus} className="max-w-full" onClick={() => setPlaces(withLast(places, id))}>
            <span className="min-w-0 truncate">{name}</span>
          </Button>
        ))}
      </div>
      {save.error !== null && <Failure error={save.error} title="This was not saved" />}
      {isOvertaken && (
        <Callout tone="warn" title="Somebody else has changed this routing meanwhile">
          Saving puts yours in its place. “Undo changes” shows what is in force now.
        </Callout>
      )}
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" isBusy={save.isPending} onClick={() => void saveDraft()}>
          Save routing
        </Button>
        <Button onClick={() => setDraft(undefined)}>Undo changes</Button>
      </div>
    </div>
  )
}

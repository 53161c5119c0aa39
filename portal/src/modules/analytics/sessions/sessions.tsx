/** Conversations of the clients: what each cost, and which of its agents spent it. */
import { Link } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useGet } from '../../../api/queries.ts'
import { Select } from '../../../ui/controls.tsx'
import { ShortId } from '../../../ui/copy.tsx'
import { DataTable, useListParams } from '../../../ui/data-table.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { FilterChip } from '../../../ui/filter-chip.tsx'
import { formatCount, formatCounted, formatNumber, formatShare } from '../../../ui/format.ts'
import { Card, Facts, Page } from '../../../ui/layout.tsx'
import { NamedLink } from '../../../ui/named-link.tsx'
import { Empty, QueryView } from '../../../ui/states.tsx'
import type { Column } from '../../../ui/table-column.ts'
import { findBegin, timeChoice, timeChoices } from '../../../ui/time-choice.ts'
import { useOpened, useUrlState } from '../../../ui/url-state.ts'
import { Money, Name, Nothing, Time } from '../../../ui/values.tsx'
import { useEmptyLog } from '../requests/empty-log.tsx'

type Session = Answer<'/admin/sessions', 'get'>['data'][number]
type Agent = Session['agents'][number]

export function SessionsPage() {
  const [state, setState] = useUrlState()
  const params = useListParams()
  const { days, user, team } = state
  const filter = useMemo(() => {
    const from = findBegin(days)
    return {
      ...(from === undefined ? {} : { from }),
      ...(user === undefined ? {} : { user }),
      ...(team === undefined ? {} : { team }),
    }
  }, [days, user, team])
  const list = useGet('/admin/sessions', { params: { query: { ...params, ...filter } } }, { keepPrevious: true })
  const empty = useEmptyLog('No sessions yet')
  const { id, open: openId, close } = useOpened()
  const open = useCallback((session: Session) => openId(session.session_id), [openId])
  const columns = useMemo(() => buildColumns(open), [open])
  return (
    <Page title="Sessions" lead="A session is one conversation of a client, with the agents that it started.">
      <Card isFlush>
        <DataTable
          caption="Sessions"
          columns={columns}
          query={list}
          rowId={({ session_id: session }) => session}
          searchLabel="Find a session by its id"
          onOpen={open}
          filters={
            <>
              <Select
                label="Began"
                value={timeChoice(days)}
                choices={timeChoices}
                onChange={(next) => setState({ days: next || undefined, cursor: undefined })}
              />
              {(['user', 'team'] as const).map((name) =>
                state[name] === undefined ? null : (
                  <FilterChip
                    key={name}
                    text={state[name]}
                    onRemove={() => setState({ [name]: undefined, cursor: undefined })}
                  />
                ),
              )}
            </>
          }
          empty={empty}
        />
      </Card>
      {id !== undefined && <SessionDrawer id={id} onClose={close} />}
    </Page>
  )
}

function nameCell(name: string | null) {
  return name === null ? <Nothing /> : <Name text={name} />
}

function buildColumns(open: (session: Session) => void): readonly Column<Session>[] {
  return [
    {
      id: 'started',
      header: 'Began',
      sort: 'started_at',
      cell: (session) => (
        <button type="button" className="text-accent hover:underline" onClick={() => open(session)}>
          <Time at={session.started_at} isExact />
        </button>
      ),
    },
    { id: 'user', header: 'Person', cell: ({ user, key }) => nameCell(user ?? key) },
    { id: 'team', header: 'Team', isMinor: true, cell: ({ team }) => nameCell(team) },
    {
      id: 'last',
      header: 'Last call',
      sort: 'last_at',
      isMinor: true,
      cell: ({ last_at: at }) => <Time at={at} isExact />,
    },
    {
      id: 'agents',
      header: 'Agents',
      align: 'right',
      isMinor: true,
      cell: ({ agents }) => <span className="tabular">{formatNumber(agents.length)}</span>,
    },
    {
      id: 'calls',
      header: 'Calls',
      align: 'right',
      cell: ({ requests, errors }) => (
        <span className="tabular">
          {formatCount(requests)}
          {errors > 0 && <span className="text-bad"> ({formatCount(errors)} failed)</span>}
        </span>
      ),
    },
    { id: 'cost', header: 'Cost', sort: 'cost_usd', align: 'right', cell: ({ cost_usd: usd }) => <Money usd={usd} /> },
  ]
}

/** Asked for by its id, so that a link to a session works whatever page of the list it is on. */
function SessionDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const found = useGet('/admin/sessions', { params: { query: { q: id, limit: 5 } } })
  return (
    <Drawer isOpen onClose={onClose} title="Session" lead="Each agent stands under the one that started it.">
      <QueryView query={found}>
        {({ data }) => {
          const session = data.find(({ session_id: each }) => each === id)
          return session === undefined ? (
            <Empty title="There is no such session">Its records may be older than what is kept.</Empty>
          ) : (
            <SessionDetail session={session} />
          )
        }}
      </QueryView>
    </Drawer>
  )
}

function SessionDetail({ session }: { readonly session: Session }) {
  return (
    <div className="flex flex-col gap-6">
      <Facts
        facts={[
          { name: 'Id', value: <ShortId id={session.session_id} /> },
          { name: 'Person', value: <NamedLink path="/users" id={session.user_id} name={session.user} /> },
          { name: 'Team', value: <NamedLink path="/teams" id={session.team_id} name={session.team} /> },
          { name: 'Began', value: <Time at={session.started_at} isExact /> },
          { name: 'Last call', value: <Time at={session.last_at} isExact /> },
          { name: 'Cost', value: <Money usd={session.cost_usd} /> },
          {
            name: 'Tokens',
            value: `${formatCount(session.tokens.input)} in, ${formatCount(session.tokens.cache_read)} from the cache, ${formatCount(session.tokens.output)} out`,
          },
          {
            name: 'Calls',
            value: (
              <Link
                to={'/requests' as never}
                search={{ session_id: session.session_id } as never}
                className="text-accent hover:underline"
              >
                {formatCounted(session.requests, 'call')}
              </Link>
            ),
          },
        ]}
      />
      <section>
        <h3 className="mb-2 font-semibold">Agents</h3>
        <ul className="flex flex-col gap-3">
          {session.agents.map((agent) => (
            <AgentRow key={agent.agent_id ?? ''} agent={agent} totalUsd={session.cost_usd} />
          ))}
        </ul>
      </section>
    </div>
  )
}

/** Deeper trees stay readable on a phone. */
const MAX_INDENT = 6

function AgentRow({ agent, totalUsd }: { readonly agent: Agent; readonly totalUsd: number }) {
  const share = totalUsd === 0 ? 0 : agent.cost_usd / totalUsd
  return (
    <li className="border-l-2 border-line pl-3" style={{ marginLeft: `${Math.min(agent.depth, MAX_INDENT) * 16}px` }}>
      <div className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate font-medium" title={agent.agent_id ?? undefined}>
          {agent.agent_id ?? 'The conversation itself'}
        </span>
        <span className="tabular shrink-0">
          <Money usd={agent.cost_usd} /> <span className="text-12 text-text-3">{formatShare(share)}</span>
        </span>
      </div>
      <div className="my-1 h-1.5 rounded-full bg-sunken" aria-hidden>
        <div className="h-full rounded-full bg-[var(--series-1)]" style={{ width: `${share * 100}%` }} />
      </div>
      <p className="text-12 text-text-3">
        {agent.depth > 0 && <span className="sr-only">Level {agent.depth}. </span>}
        {formatCounted(agent.requests, 'call')}
        {agent.errors > 0 ? `, ${formatNumber(agent.errors)} failed` : ''}; {agent.models.join(', ')}
      </p>
    </li>
  )
}

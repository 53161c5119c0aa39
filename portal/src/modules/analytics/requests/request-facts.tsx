/** One call of the log: its columns, its state in a word, and whether a filter of the address fits it. */
import type { ReactNode } from 'react'
import type { Answer } from '../../../api/client.ts'
import { formatCount, formatDurationMs } from '../../../ui/format.ts'
import { Badge } from '../../../ui/states.tsx'
import type { Column } from '../../../ui/table-column.ts'
import type { UrlState } from '../../../ui/url-state.ts'
import { Money, Nothing, Time, TwoLines } from '../../../ui/values.tsx'
import { isWanted, modelShown } from './exact-name.ts'

export type LoggedRequest = Answer<'/admin/requests', 'get'>['data'][number]

export function isFailed({ status }: Pick<LoggedRequest, 'status'>): boolean {
  return status >= 400
}

export function RequestState({ request }: { readonly request: LoggedRequest }) {
  if (isFailed(request)) return <Badge tone="bad">{request.status}</Badge>
  if (request.flags.includes('aborted')) return <Badge tone="warn">Left early</Badge>
  return <Badge tone="ok">{request.status}</Badge>
}

export function tokensIn({ tokens }: Pick<LoggedRequest, 'tokens'>): number {
  return tokens.input + tokens.cache_read + tokens.cache_write_5m + tokens.cache_write_1h
}

/** The gateway also calls for itself, to learn what an endpoint can do. */
function describeCaller({ user, key, flags }: LoggedRequest): ReactNode {
  return user ?? key ?? (flags.includes('probe') ? 'The gateway itself' : <Nothing />)
}

export function requestColumns(open: (request: LoggedRequest) => void): readonly Column<LoggedRequest>[] {
  return [
    {
      id: 'at',
      header: 'Time',
      cell: (request) => (
        <button type="button" className="text-accent hover:underline" onClick={() => open(request)}>
          <Time at={request.at} hasSeconds />
        </button>
      ),
    },
    { id: 'status', header: 'Status', cell: (request) => <RequestState request={request} /> },
    {
      id: 'user',
      header: 'Person',
      cell: (request) => <TwoLines first={describeCaller(request)} second={request.team} />,
    },
    {
      id: 'model',
      header: 'Model',
      cell: ({ model, endpoint }) => <TwoLines first={modelShown(model)} second={endpoint} />,
    },
    {
      id: 'tokens',
      header: 'Tokens in / out',
      align: 'right',
      isMinor: true,
      cell: (request) => (
        <span className="tabular">
          {formatCount(tokensIn(request))} / {formatCount(request.tokens.output)}
        </span>
      ),
    },
    {
      id: 'duration',
      header: 'Took',
      align: 'right',
      cell: ({ duration_ms: ms }) => <span className="tabular">{formatDurationMs(ms)}</span>,
    },
    { id: 'cost', header: 'Cost', align: 'right', cell: ({ cost_usd: usd }) => <Money usd={usd} /> },
  ]
}

/** For calls that arrive live: what the gateway does for the log, on this side. The words of the search are not applied. */
export function fits(request: LoggedRequest, state: UrlState): boolean {
  const wanted = state['status']
  const isRightStatus =
    wanted === undefined ||
    (wanted === 'error' ? isFailed(request) : wanted === 'ok' ? !isFailed(request) : String(request.status) === wanted)
  return (
    isRightStatus &&
    isWanted(request.model, state['model']) &&
    isWanted(request.user, state['user'], request.user_id) &&
    isWanted(request.team, state['team'], request.team_id) &&
    isWanted(request.key, state['key'], request.key_id) &&
    isWanted(request.endpoint, state['endpoint'], request.endpoint_id) &&
    (state['session_id'] === undefined || request.session_id === state['session_id']) &&
    (state['flag'] === undefined || request.flags.includes(state['flag'])) &&
    (state['tool'] === undefined || request.tools.some((tool) => isWanted(tool, state['tool'])))
  )
}

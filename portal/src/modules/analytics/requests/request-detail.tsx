/** One call in full: how it was routed, every try, and its price line by line. */
import { Link } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useGet } from '../../../api/queries.ts'
import { isUnknown, Unknown } from '../../../ui/absent.tsx'
import { Button } from '../../../ui/button.tsx'
import { ShortId } from '../../../ui/copy.tsx'
import { formatDurationMs, formatNumber, formatRate } from '../../../ui/format.ts'
import { type Fact, Facts } from '../../../ui/layout.tsx'
import { NamedLink } from '../../../ui/named-link.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { Badge, QueryView } from '../../../ui/states.tsx'
import { Money, Nothing, Time } from '../../../ui/values.tsx'
import { modelShown } from './exact-name.ts'
import { type LoggedRequest, RequestState } from './request-facts.tsx'

type Detail = Answer<'/admin/requests/{request_id}', 'get'>

export function RequestDetail({ id }: { readonly id: string }) {
  return (
    <DetailView hasPages query={useGet('/admin/requests/{request_id}', { params: { path: { request_id: id } } })} />
  )
}

/** The same of a call of one's own. */
export function OwnRequestDetail({ id }: { readonly id: string }) {
  return <DetailView query={useGet('/me/requests/{request_id}', { params: { path: { request_id: id } } })} />
}

interface DetailQuery {
  readonly data: Detail | undefined
  readonly error: unknown
  readonly refetch: () => unknown
}

interface DetailProps {
  readonly query: DetailQuery
  /** Whether who looks may open the pages of the people, teams, keys and endpoints that are named. */
  readonly hasPages?: boolean
}

function DetailView({ query, hasPages = false }: DetailProps) {
  if (query.data === undefined && isUnknown(query.error))
    return (
      <Unknown
        word="request"
        action={
          <Button icon={RefreshCw} onClick={() => void query.refetch()}>
            Try again
          </Button>
        }
      >
        The record of a call follows it by a moment, and old ones are not kept for ever.
      </Unknown>
    )
  return (
    <QueryView query={query}>
      {(request) => (
        <div className="flex flex-col gap-6">
          <Part title="Routing">
            <p>{request.routing ?? 'It was refused before an endpoint was chosen.'}</p>
            <Attempts attempts={request.attempts} />
          </Part>
          <RequestSummary request={request} hasPages={hasPages} />
          <Part title="Price">
            <Price request={request} />
          </Part>
          {request.rounds.length > 1 && (
            <Part title="Rounds">
              <Rounds rounds={request.rounds} />
            </Part>
          )}
          <Part title="What the gateway changed">
            <Facts
              facts={[
                { name: 'Betas sent', value: words(request.betas.sent) },
                { name: 'Betas left out', value: words(request.betas.stripped) },
                { name: 'Repairs', value: words(request.repairs) },
              ]}
            />
          </Part>
        </div>
      )}
    </QueryView>
  )
}

/** What the list itself knows of a call. */
function RequestSummary({ request, hasPages }: { readonly request: LoggedRequest; readonly hasPages: boolean }) {
  const { tokens } = request
  return (
    <>
      <Part title="The call">
        <Facts facts={listFacts(request, hasPages)} />
      </Part>
      <Part title="Tokens">
        <Facts
          facts={[
            { name: 'Input', value: formatNumber(tokens.input) },
            { name: 'Cache read', value: formatNumber(tokens.cache_read) },
            {
              name: 'Cache write',
              value: `${formatNumber(tokens.cache_write_5m)} for 5 minutes, ${formatNumber(tokens.cache_write_1h)} for 1 hour`,
            },
            { name: 'Output', value: formatNumber(tokens.output) },
            { name: 'Web searches', value: formatNumber(request.web_searches) },
          ]}
        />
      </Part>
    </>
  )
}

function listFacts(request: LoggedRequest, hasPages: boolean): Fact[] {
  const first = request.first_token_ms
  const named = (path: string, id: string | null, name: string | null): ReactNode =>
    hasPages ? <NamedLink path={path} id={id} name={name} /> : (name ?? <Nothing />)
  return [
    { name: 'Status', value: <RequestState request={request} /> },
    ...(request.error_type === null ? [] : [{ name: 'Error', value: request.error_type }]),
    { name: 'Time', value: <Time at={request.at} hasSeconds /> },
    { name: 'Id', value: <ShortId id={request.request_id} /> },
    { name: 'Person', value: named('/users', request.user_id, request.user) },
    { name: 'Team', value: named('/teams', request.team_id, request.team) },
    { name: 'Key', value: named('/keys', request.key_id, request.key) },
    { name: 'Model asked', value: modelShown(request.model) },
    { name: 'Served by', value: request.hosted_model ?? <Nothing /> },
    { name: 'Endpoint', value: named('/endpoints', request.endpoint_id, request.endpoint) },
    {
      name: 'Took',
      value: `${formatDurationMs(request.duration_ms)}${first === null ? '' : `, first token after ${formatDurationMs(first)}`}`,
    },
    {
      name: 'Answer',
      value: `${request.streaming ? 'streamed' : 'at once'}${request.stop_reason === null ? '' : `, ended by ${request.stop_reason}`}`,
    },
    { name: 'Session', value: <SessionLink session={request.session_id} /> },
    { name: 'Tools', value: words(request.tools) },
    { name: 'Marks', value: words(request.flags) },
  ]
}

function SessionLink({ session }: { readonly session: string | null }) {
  if (session === null) return <Nothing />
  return (
    <Link to={'.' as never} search={{ session_id: session } as never} className="text-accent hover:underline">
      {session}
    </Link>
  )
}

function words(list: readonly string[]): ReactNode {
  if (list.length === 0) return <Nothing />
  return (
    <span className="flex flex-wrap gap-1">
      {[...new Set(list)].map((word) => (
        <Badge key={word}>{word}</Badge>
      ))}
    </span>
  )
}

function Attempts({ attempts }: { readonly attempts: Detail['attempts'] }) {
  return (
    <div className="-mx-4 mt-2">
      <PlainTable
        caption="Tries"
        rows={attempts.map((attempt, index) => ({ ...attempt, index }))}
        rowId={({ index }) => String(index)}
        empty="No endpoint was called."
        columns={[
          { id: 'endpoint', header: 'Tried', cell: ({ endpoint }) => endpoint },
          {
            id: 'status',
            header: 'Answer',
            cell: ({ status, error }) => (
              <Badge tone={status < 400 ? 'ok' : 'bad'}>{error === null ? status : `${status} ${error}`}</Badge>
            ),
          },
          { id: 'ms', header: 'Took', align: 'right', cell: ({ duration_ms: ms }) => formatDurationMs(ms) },
        ]}
      />
    </div>
  )
}

const kinds: Readonly<Record<Detail['price'][number]['kind'], string>> = {
  input: 'Input',
  output: 'Output',
  cache_read: 'Cache read',
  cache_write_5m: 'Cache write, 5 minutes',
  cache_write_1h: 'Cache write, 1 hour',
}

interface PriceLine {
  readonly name: string
  readonly count: number
  /** Absent where tokens are not what is paid for. */
  readonly usdPerMillion: number | null
  readonly usd: number
}

/** The gateway lists what tokens cost, and tells searches apart. */
function priceLines({ price, web_searches: searches, web_search_cost_usd: usd }: Detail): readonly PriceLine[] {
  const lines = price
    .filter(({ tokens }) => tokens > 0)
    .map((line) => ({
      name: kinds[line.kind],
      count: line.tokens,
      usdPerMillion: line.usd_per_mtok,
      usd: line.usd,
    }))
  return usd > 0 ? [...lines, { name: 'Web searches', count: searches, usdPerMillion: null, usd }] : lines
}

function Price({ request }: { readonly request: Detail }) {
  return (
    <>
      <div className="-mx-4">
        <PlainTable
          caption="Price line by line"
          rows={priceLines(request)}
          rowId={({ name, usdPerMillion }) => `${name} ${usdPerMillion}`}
          empty={request.flags.includes('unpriced') ? 'This model has no price.' : 'Nothing was charged.'}
          columns={[
            { id: 'name', header: 'For', cell: ({ name }) => name },
            { id: 'count', header: 'Count', align: 'right', cell: ({ count }) => formatNumber(count) },
            {
              id: 'rate',
              header: 'A million tokens',
              align: 'right',
              cell: ({ usdPerMillion }) => (usdPerMillion === null ? <Nothing /> : formatRate(usdPerMillion)),
            },
            { id: 'usd', header: 'Cost', align: 'right', cell: ({ usd }) => <Money usd={usd} /> },
          ]}
        />
      </div>
      <p className="mt-2 flex justify-between font-medium">
        <span>In all</span>
        <Money usd={request.cost_usd} />
      </p>
      {request.flags.includes('price_estimated') && (
        <p className="mt-2 text-13 text-text-3">
          This model had no price. The request was charged at the highest known rates of its family.
        </p>
      )}
    </>
  )
}

function Rounds({ rounds }: { readonly rounds: Detail['rounds'] }) {
  return (
    <div className="-mx-4">
      <PlainTable
        caption="Rounds"
        rows={rounds}
        rowId={({ round }) => String(round)}
        empty="One round."
        columns={[
          { id: 'round', header: 'Round', cell: ({ round }) => round },
          { id: 'stop', header: 'Ended by', cell: ({ stop_reason: reason }) => reason ?? <Nothing /> },
          { id: 'ms', header: 'Took', align: 'right', cell: ({ duration_ms: ms }) => formatDurationMs(ms) },
          { id: 'cost', header: 'Cost', align: 'right', cell: ({ cost_usd: usd }) => <Money usd={usd} /> },
        ]}
      />
    </div>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 font-semibold">{title}</h3>
      {children}
    </section>
  )
}

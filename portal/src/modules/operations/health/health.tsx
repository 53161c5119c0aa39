/** Is it us or the hosted service? Endpoints, instances, the database, the ledger and what runs on timers. */
import type { Answer } from '../../../api/client.ts'
import { useGet } from '../../../api/queries.ts'
import { useRights } from '../../../app/rights.ts'
import { formatCount, formatDurationMs, formatNumber, formatShare } from '../../../ui/format.ts'
import { Card, Facts, Figure, FigureRow, Page } from '../../../ui/layout.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { Badge, Callout, QueryView, type Tone } from '../../../ui/states.tsx'
import { Name, Nothing, Time } from '../../../ui/values.tsx'
import { Health } from '../../endpoints/endpoint-facts.tsx'
import { withoutPrice } from '../../models/unpriced.ts'
import { HealthGrid } from './health-grid.tsx'
import { findHour, type HourSums, hourOfAll, type LastHour, useLastHour } from './last-hour.ts'
import { OfHour } from './of-hour.tsx'

type Status = Answer<'/admin/status', 'get'>

const REFRESH_MS = 10_000

/** From here on the alert CausewaySpendNotWritten counts. */
const LATE_SECONDS = 60

export function HealthPage() {
  const status = useGet('/admin/status', undefined, { refetchInterval: REFRESH_MS })
  const hour = useLastHour()
  return (
    <Page title="Health" lead="As of now; asked again every ten seconds.">
      <HealthGrid />
      <QueryView query={status} rows={8}>
        {(now) => (
          <>
            <Summary status={now} hour={hour} />
            <Endpoints endpoints={now.endpoints} hour={hour} />
            <Instances instances={now.instances} />
            <Database status={now} />
            <Loops loops={now.loops} />
          </>
        )}
      </QueryView>
    </Page>
  )
}

/** What is wrong, in words, the worst first; nothing wrong is said too. */
function Summary({ status, hour }: { readonly status: Status; readonly hour: LastHour }) {
  const enabled = status.endpoints.filter((endpoint) => endpoint.enabled)
  const ill = enabled.filter((endpoint) => endpoint.health_status === 'unhealthy')
  const silent = status.instances.filter((instance) => instance.status === 'silent')
  const failing = status.loops.filter(
    (loop) => loop.last_error !== null && isAfter(loop.last_error_at, loop.last_success_at),
  )
  const [uncounted, unclosed] = [status.uncounted_records ?? 0, status.unclosed_periods ?? 0]
  const { quarantined } = status.ledger
  const isLate = status.ledger.lag_seconds > LATE_SECONDS
  const isCalm =
    ill.length === 0 &&
    silent.length === 0 &&
    failing.length === 0 &&
    uncounted === 0 &&
    unclosed === 0 &&
    quarantined === 0 &&
    !isLate &&
    status.database.status !== 'away' &&
    !status.ledger.journal_failing
  return (
    <>
      {isCalm && (
        <Callout tone="ok" title="Everything works">
          All endpoints that were checked answer, and what the gateway does in the background is on time.
        </Callout>
      )}
      {status.database.status === 'away' && (
        <Callout tone="bad" title="The database is away">
          Calls go on with what is known; spend is kept in the journal; changes are not possible.{' '}
          {status.database.error}
        </Callout>
      )}
      {status.ledger.journal_failing && (
        <Callout tone="bad" title="The journal cannot be written">
          Records of spend may be lost: look at the disk of the instance.
        </Callout>
      )}
      {quarantined > 0 && (
        <Callout
          tone="warn"
          title={
            quarantined === 1
              ? 'One record of spend is set aside'
              : `${formatCount(quarantined)} records of spend are set aside`
          }
        >
          Refused by the database in every form, and in no figure. The file quarantine-….jsonl in SPEND_JOURNAL_DIR of
          the instance is the only copy: keep it. When a partition or a column is missing in the database, a migration
          did not run: start the newest version once. Each start tries them again.
        </Callout>
      )}
      {isLate && (
        <Callout tone="warn" title="Spend is written late">
          Records have waited {formatDurationMs(status.ledger.lag_seconds * 1000)} for the database; budgets and charts
          are exact again when they are written. See whether the database is full or slow, and keep the instance and its
          journal until then.
        </Callout>
      )}
      {ill.map((endpoint) => (
        <Callout
          key={endpoint.id}
          tone={ill.length === enabled.length ? 'bad' : 'warn'}
          title={`${endpoint.name} is unhealthy`}
        >
          {endpoint.health_reason}
        </Callout>
      ))}
      {silent.length > 0 && (
        <Callout
          tone="warn"
          title={`${silent.length} of ${status.instances.length} instances ${silent.length === 1 ? 'is' : 'are'} silent`}
        >
          Not heard of for a while: gone, or cut off from the database.
        </Callout>
      )}
      {failing.map((loop) => (
        <Callout key={loop.name} tone="warn" title={`${loop.name} fails`}>
          {loop.last_error}
        </Callout>
      ))}
      {uncounted > 0 && (
        <Callout
          tone="warn"
          title={uncounted === 1 ? 'One record is in no chart' : `${formatCount(uncounted)} records are in no chart`}
        >
          Refused by the sums of the database; budgets, the request log and the export leave nothing out. When the cause
          is mended, run causeway analytics recount.
        </Callout>
      )}
      {unclosed > 0 && (
        <Callout
          tone="warn"
          title={`Sums of ${unclosed === 1 ? 'one period' : `${formatCount(unclosed)} periods`} cannot be put together`}
        >
          Charts are right and take longer. When the cause is mended, run causeway analytics recount.
        </Callout>
      )}
      <Figures status={status} hour={hour} enabled={enabled.length} ill={ill.length} />
    </>
  )
}

function isAfter(one: string | null, other: string | null): boolean {
  return one !== null && (other === null || one > other)
}

function Figures({
  status,
  hour,
  enabled,
  ill,
}: {
  readonly status: Status
  readonly hour: LastHour
  readonly enabled: number
  readonly ill: number
}) {
  const sums = hourOfAll(hour)
  const unpriced = withoutPrice(status.unpriced_models).length
  return (
    <FigureRow>
      <Figure name="Endpoints that answer" value={`${enabled - ill} of ${enabled}`} />
      <Figure
        name="Calls, last hour"
        value={<OfHour sums={sums}>{({ calls }) => formatCount(calls)}</OfHour>}
        detail={
          <OfHour sums={sums} unknown="not known">
            {({ calls, failed }) => (calls === 0 ? 'none' : `${formatShare(failed / calls)} failed or throttled`)}
          </OfHour>
        }
      />
      <Figure
        name="Under way now"
        value={formatCount(status.instances.reduce((sum, { in_flight: count }) => sum + count, 0))}
        detail={`on ${status.instances.length} ${status.instances.length === 1 ? 'instance' : 'instances'}`}
      />
      <Figure
        name="Ledger"
        value={status.ledger.lag_seconds < 5 ? 'on time' : `${Math.round(status.ledger.lag_seconds)} s behind`}
        detail={status.ledger.waiting === 1 ? '1 record waits' : `${formatCount(status.ledger.waiting)} records wait`}
      />
      <Figure
        name="Without a price"
        value={formatCount(unpriced)}
        detail={unpriced === 0 ? 'every model is priced' : <WithoutPrice />}
      />
    </FigureRow>
  )
}

function WithoutPrice() {
  if (!useRights().isAdmin) return 'their cost is an estimate'
  return (
    <PageLink to="/models" search={{ tab: 'prices' }}>
      set prices
    </PageLink>
  )
}

function Endpoints({ endpoints, hour }: { readonly endpoints: Status['endpoints']; readonly hour: LastHour }) {
  const figure = (id: string, name: keyof HourSums) => (
    <OfHour sums={findHour(hour, id)}>{(sums) => <span className="tabular">{formatCount(sums[name])}</span>}</OfHour>
  )
  return (
    <Card title="Endpoints" isFlush>
      <PlainTable
        caption="Endpoints"
        rows={endpoints}
        rowId={({ id }) => id}
        empty="There is no endpoint: no call can be answered."
        columns={[
          {
            id: 'name',
            header: 'Name',
            cell: ({ id, name }) => (
              <PageLink to={`/endpoints/${id}`}>
                <Name text={name} />
              </PageLink>
            ),
          },
          {
            id: 'health',
            header: 'Health',
            cell: (endpoint) => <Health status={endpoint.health_status} isEnabled={endpoint.enabled} />,
          },
          { id: 'region', header: 'Region', isMinor: true, cell: ({ region }) => region },
          {
            id: 'calls',
            header: 'Calls, last hour',
            align: 'right',
            cell: ({ id }) => figure(id, 'calls'),
          },
          {
            id: 'errors',
            header: 'Failed or throttled',
            align: 'right',
            cell: ({ id }) => figure(id, 'failed'),
          },
          { id: 'checked', header: 'Checked', isMinor: true, cell: ({ last_checked_at: at }) => <Time at={at} /> },
        ]}
      />
    </Card>
  )
}

function Instances({ instances }: { readonly instances: Status['instances'] }) {
  const newest = Math.max(...instances.map((instance) => instance.cache_version))
  return (
    <Card title="Instances" lead="Every process of the gateway that shares this database." isFlush>
      <PlainTable
        caption="Instances"
        rows={instances}
        rowId={({ id }) => id}
        empty="Instances are known only with a database."
        columns={[
          {
            id: 'id',
            header: 'Instance',
            cell: ({ id, is_self: isSelf }) => (
              <>
                {id.slice(0, 8)}
                {isSelf && <span className="text-text-3"> (answers now)</span>}
              </>
            ),
          },
          {
            id: 'state',
            header: 'State',
            cell: ({ status }) => (
              <Badge tone={status === 'alive' ? 'ok' : 'warn'}>{status === 'alive' ? 'Alive' : 'Silent'}</Badge>
            ),
          },
          { id: 'version', header: 'Version', cell: ({ version }) => version },
          { id: 'started', header: 'Started', isMinor: true, cell: ({ started_at: at }) => <Time at={at} /> },
          {
            id: 'flight',
            header: 'Under way',
            align: 'right',
            cell: ({ in_flight: count }) => <span className="tabular">{count}</span>,
          },
          {
            id: 'cache',
            header: 'Knows',
            isMinor: true,
            cell: ({ cache_version: version }) => (version === newest ? 'every change' : 'an older state'),
          },
          {
            id: 'journal',
            header: 'Journal',
            align: 'right',
            isMinor: true,
            cell: ({ ledger }) => <span className="tabular">{formatNumber(ledger.journal_bytes / 1024)} KB</span>,
          },
        ]}
      />
    </Card>
  )
}

const databaseTones: Readonly<Record<Status['database']['status'], readonly [Tone, string]>> = {
  ok: ['ok', 'Answers'],
  away: ['bad', 'Away'],
  none: ['neutral', 'None configured'],
}

function Database({ status: { database, ledger } }: { readonly status: Status }) {
  const [tone, word] = databaseTones[database.status]
  return (
    <Card title="Database and ledger">
      <Facts
        facts={[
          { name: 'Database', value: <Badge tone={tone}>{word}</Badge> },
          { name: 'Version', value: database.server_version ?? <Nothing /> },
          {
            name: 'Answers in',
            value: database.latency_ms === null ? <Nothing /> : formatDurationMs(database.latency_ms),
          },
          {
            name: 'Connections',
            value:
              database.connections === null ? (
                <Nothing />
              ) : (
                `${database.connections.open} open, ${database.connections.idle} idle, ${database.connections.waiting} waiting`
              ),
          },
          { name: 'Last write of spend', value: <Time at={ledger.last_flush_at} /> },
          {
            name: 'Set aside',
            value:
              ledger.quarantined === 0
                ? 'no record'
                : `${ledger.quarantined} ${ledger.quarantined === 1 ? 'record' : 'records'} that could not be stored`,
          },
        ]}
      />
    </Card>
  )
}

function Loops({ loops }: { readonly loops: Status['loops'] }) {
  return (
    <Card title="Background work" isFlush>
      <PlainTable
        caption="What runs on timers"
        rows={loops}
        rowId={({ name }) => name}
        empty="Nothing runs."
        columns={[
          { id: 'name', header: 'Name', cell: ({ name }) => name },
          {
            id: 'every',
            header: 'Every',
            align: 'right',
            cell: ({ interval_seconds: seconds }) => formatDurationMs(seconds * 1000),
          },
          { id: 'last', header: 'Last success', cell: ({ last_success_at: at }) => <Time at={at} /> },
          {
            id: 'error',
            header: 'Last error',
            isMinor: true,
            cell: ({ last_error: error, last_error_at: at }) =>
              error === null ? (
                <Nothing />
              ) : (
                <>
                  {error}{' '}
                  <span className="text-text-3">
                    <Time at={at} />
                  </span>
                </>
              ),
          },
        ]}
      />
    </Card>
  )
}

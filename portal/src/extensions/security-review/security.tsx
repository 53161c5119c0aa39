/** How safe the gateway is set up, what it keeps about people, and where it connects to. */
import { Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Answer } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { useRights } from '../../app/rights.ts'
import { Button } from '../../ui/button.tsx'
import { formatCounted } from '../../ui/format.ts'
import { Card, Page } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Badge, Callout, QueryView, type Tone } from '../../ui/states.tsx'
import type { Column } from '../../ui/table-column.ts'
import { Nothing, Time } from '../../ui/values.tsx'
import { findPlaces, isSetting, isVariable } from './places.ts'

type Security = Answer<'/admin/security', 'get'>
type Check = Security['checks'][number]
type Kept = Security['kept'][number]
type Reached = Security['reached'][number]

export function SecurityPage() {
  const security = useGet('/admin/security', undefined, { isAskedOnOpening: true, isAskedOnReturn: true })
  return (
    <Page
      title="Security"
      lead="Judged from the configuration and the settings in force. Nothing on this page changes anything."
      actions={
        <Button icon={Printer} className="print:hidden" onClick={() => window.print()}>
          Print
        </Button>
      }
    >
      <QueryView query={security} rows={12}>
        {(found) => (
          <>
            <Summary checks={found.checks} />
            <Card
              title="Checks"
              lead={
                <>
                  Version {found.version}, <Time at={found.checked_at} isExact />. What has to be acted on comes first.
                </>
              }
            >
              <ul className="flex flex-col divide-y divide-line">
                {found.checks.map((check) => (
                  <li key={check.id} className="break-inside-avoid py-3.5 first:pt-0 last:pb-0">
                    <CheckRow check={check} />
                  </li>
                ))}
              </ul>
            </Card>
            <Card title="What is kept about people" lead="With the times that are in force." isFlush>
              <PlainTable
                caption="What is kept about people"
                columns={keptColumns}
                rows={found.kept}
                rowId={({ what }) => what}
                empty="Nothing is kept."
              />
            </Card>
            <Card
              title="Where it connects to"
              lead="Every address that the gateway calls by its present configuration. The AWS SDK asks the machine, task or pod for credentials beside these."
              isFlush
            >
              <PlainTable
                caption="Where it connects to"
                columns={reachedColumns}
                rows={found.reached}
                rowId={({ purpose, address }) => `${purpose} ${address}`}
                empty="The gateway calls nobody: no endpoint is enabled."
              />
            </Card>
          </>
        )}
      </QueryView>
    </Page>
  )
}

const states: Readonly<Record<Check['state'], { readonly tone: Tone; readonly word: string }>> = {
  bad: { tone: 'bad', word: 'Bad' },
  attention: { tone: 'warn', word: 'To look at' },
  unknown: { tone: 'info', word: 'Not known' },
  good: { tone: 'ok', word: 'Good' },
}

function Summary({ checks }: { readonly checks: readonly Check[] }) {
  const count = (state: Check['state']) => checks.filter((check) => check.state === state).length
  const [bad, attention, unknown, good] = [count('bad'), count('attention'), count('unknown'), count('good')]
  if (good === checks.length)
    return (
      <Callout tone="ok" title="Every check is good">
        {formatCounted(checks.length, 'check')}, and nothing to do.
      </Callout>
    )
  return (
    <Callout
      tone={bad > 0 ? 'bad' : 'warn'}
      title={
        bad === 0
          ? 'Nothing is bad, and something can be better'
          : `${formatCounted(bad, 'check')} ${bad === 1 ? 'is' : 'are'} bad`
      }
    >
      {[
        ...(attention > 0 ? [`${attention} to look at`] : []),
        ...(unknown > 0 ? [`${unknown} not known`] : []),
        `${good} good`,
      ].join(', ')}
      .
    </Callout>
  )
}

function CheckRow({ check }: { readonly check: Check }) {
  const { tone, word } = states[check.state]
  return (
    <div className="flex flex-col gap-x-4 gap-y-1.5 sm:flex-row">
      <div className="sm:w-24 sm:shrink-0">
        <Badge tone={tone}>{word}</Badge>
      </div>
      <div className="min-w-0 max-w-3xl [overflow-wrap:anywhere]">
        <h3 className="font-medium">{check.title}</h3>
        <p>{check.found}</p>
        <p className="mt-0.5 text-13 text-text-3">{check.why}</p>
        {check.fix !== null && <Fix check={check} fix={check.fix} />}
      </div>
    </div>
  )
}

function Fix({ check, fix }: { readonly check: Check; readonly fix: string }) {
  const { mayOpen } = useRights()
  return (
    <div className="mt-2 border-l-2 border-line pl-3">
      <p>
        <span className="font-medium">What to do:</span> {fix}
      </p>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-13 empty:hidden">
        {findPlaces(check.id)
          .filter(({ path }) => mayOpen(path))
          .map(({ path, label, search = {} }) => (
            <PageLink key={path} to={path} search={search} className="print:hidden">
              Open {label}
            </PageLink>
          ))}
        {check.settings.map((name) => (
          <SettingName key={name} name={name} />
        ))}
      </p>
    </div>
  )
}

function SettingName({ name }: { readonly name: string }) {
  return (
    <code
      className="rounded-6 bg-sunken px-1 py-0.5 font-mono text-12 text-text-2"
      title={isVariable(name) ? 'A variable of the environment; it needs a restart' : undefined}
    >
      {name}
    </code>
  )
}

/** What has no column of its own where there is little room. */
function Below({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 text-13 font-normal @min-[56rem]:hidden">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-text-3">{name}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const keptColumns: readonly Omit<Column<Kept>, 'sort'>[] = [
  {
    id: 'what',
    header: 'Data',
    cell: ({ what, holds, where, ...row }) => (
      <div className="max-w-xl py-1">
        {what}
        <p className="text-13 font-normal text-text-3">{holds}</p>
        <Below
          facts={[
            ['How long', row.how_long],
            ['Where', where],
            ['Changed by', <Switch key="switch" name={row.switch} />],
          ]}
        />
      </div>
    ),
  },
  {
    id: 'how-long',
    header: 'How long',
    isMinor: true,
    cell: (row) => <div className="min-w-28 max-w-64">{row.how_long}</div>,
  },
  {
    id: 'where',
    header: 'Where',
    isMinor: true,
    cell: ({ where }) => <div className="min-w-24 max-w-56 [overflow-wrap:anywhere]">{where}</div>,
  },
  { id: 'switch', header: 'Changed by', isMinor: true, cell: (row) => <Switch name={row.switch} /> },
]

function Switch({ name }: { readonly name: string | null }) {
  if (name === null) return <Nothing />
  if (isVariable(name)) return <SettingName name={name} />
  if (!isSetting(name)) return <span className="block min-w-24 max-w-56">{name}</span>
  return (
    <PageLink to="/settings">
      <code className="font-mono text-12">{name}</code>
    </PageLink>
  )
}

const reachedColumns: readonly Omit<Column<Reached>, 'sort'>[] = [
  {
    id: 'address',
    header: 'Address',
    cell: ({ address, purpose, sends, ...row }) => (
      <div className="[overflow-wrap:anywhere]">
        {address}
        <Below
          facts={[
            ['For', purpose],
            ['Sends', sends],
            ['Because of', row.set_by],
          ]}
        />
      </div>
    ),
  },
  { id: 'purpose', header: 'For', isMinor: true, cell: ({ purpose }) => <div className="max-w-80">{purpose}</div> },
  { id: 'sends', header: 'What is sent', isMinor: true, cell: ({ sends }) => <div className="max-w-64">{sends}</div> },
  {
    id: 'set-by',
    header: 'Because of',
    isMinor: true,
    cell: (row) => <div className="max-w-64 [overflow-wrap:anywhere]">{row.set_by}</div>,
  },
]

/** Who changed what, when, from where: every write of an administrator and every sign-in. */
import { useMemo } from 'react'
import { type Answer, api } from '../../../api/client.ts'
import { useGet } from '../../../api/queries.ts'
import { isUnknown, Unknown } from '../../../ui/absent.tsx'
import { Select } from '../../../ui/controls.tsx'
import { DataTable, useListParams } from '../../../ui/data-table.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { FilterChip } from '../../../ui/filter-chip.tsx'
import { formatTimeExact } from '../../../ui/format.ts'
import { Card, Facts, Page } from '../../../ui/layout.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import { QueryView } from '../../../ui/states.tsx'
import type { Column } from '../../../ui/table-column.ts'
import type { CsvColumn } from '../../../ui/table-export.ts'
import { findBegin, timeChoice, timeChoices } from '../../../ui/time-choice.ts'
import { useOpened, useUrlState } from '../../../ui/url-state.ts'
import { Name, Nothing, Time } from '../../../ui/values.tsx'
import { listChanges, shown } from './changes.ts'

type Entry = Answer<'/admin/audit', 'get'>['data'][number]

const csvColumns: readonly CsvColumn<Entry>[] = [
  { header: 'at', value: ({ at }) => at },
  { header: 'actor', value: ({ actor }) => actor },
  { header: 'action', value: ({ action }) => action },
  { header: 'target', value: ({ target }) => target },
  { header: 'before', value: ({ before }) => toJson(before) },
  { header: 'after', value: ({ after }) => toJson(after) },
  { header: 'source_address', value: (entry) => entry.source_address },
  { header: 'request_id', value: (entry) => entry.request_id },
]

function toJson(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}

export function AuditPage() {
  const [state, setState] = useUrlState()
  const { id, open: openId, close } = useOpened()
  const open = (entry: Entry): void => openId(entry.id)
  const days = timeChoice(state['days'])
  const params = useListParams()
  const { cursor: _, ...shownList } = params
  const filter = useMemo(() => toFilter(days, state['actor'], state['target']), [days, state['actor'], state['target']])
  const list = useGet('/admin/audit', { params: { query: { ...params, ...filter } } }, { keepPrevious: true })
  const columns: readonly Column<Entry>[] = [
    { id: 'at', header: 'Time', cell: ({ at }) => <Time at={at} hasSeconds /> },
    {
      id: 'actor',
      header: 'Who',
      cell: ({ actor }) => (
        <button
          type="button"
          className="block text-accent hover:underline"
          onClick={() => setState({ actor, cursor: undefined })}
        >
          <Name text={actor} />
        </button>
      ),
    },
    {
      id: 'action',
      header: 'Did',
      cell: (entry) => (
        <button type="button" className="text-accent hover:underline" onClick={() => open(entry)}>
          {entry.action}
        </button>
      ),
    },
    {
      id: 'target',
      header: 'To',
      cell: (entry) => <Target entry={entry} />,
    },
    { id: 'from', header: 'From', isMinor: true, cell: ({ source_address: from }) => from ?? <Nothing /> },
  ]
  return (
    <Page title="Audit" lead="Nothing here can be changed, and no secret is in it.">
      <Card isFlush>
        <DataTable
          caption="Audit entries"
          columns={columns}
          query={list}
          rowId={({ id }) => id}
          searchLabel="Search actions and targets"
          onOpen={open}
          exports={{
            name: 'audit',
            columns: csvColumns,
            load: (page) => api.get('/admin/audit', { params: { query: { ...shownList, ...filter, ...page } } }),
          }}
          filters={
            <>
              <Select
                label="Time"
                value={days}
                choices={timeChoices}
                onChange={(next) => setState({ days: next || undefined, cursor: undefined })}
              />
              {['actor', 'target'].map((name) =>
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
          empty={{ title: 'Nothing happened', text: 'Changes and sign-ins appear here.' }}
        />
      </Card>
      {id !== undefined && (
        <EntryDrawer
          id={id}
          listed={list.data?.data.find((entry) => entry.id === id)}
          onClose={close}
          onTarget={(target) => setState({ target, cursor: undefined, id: undefined })}
        />
      )}
    </Page>
  )
}

/** The pages of what has a name. */
const pages: Readonly<Record<string, string>> = {
  user: '/users',
  team: '/teams',
  key: '/keys',
  endpoint: '/endpoints',
  idp: '/access',
}

/** By name, and with its kind: a team and a key may be called alike. */
function Target({ entry: { target, target_name: name } }: { readonly entry: Entry }) {
  if (target === null) return <Nothing />
  const [kind = '', id = ''] = target.split(':', 2)
  const page = pages[kind]
  if (name === null || page === undefined) return <span className="[overflow-wrap:anywhere]">{target}</span>
  // Identity providers have no page of their own: the list of them is searched.
  const isProvider = kind === 'idp'
  return (
    <span title={target} className="flex max-w-72 gap-1.5">
      <span className="text-text-3">{isProvider ? 'provider' : kind}</span>
      <PageLink
        to={isProvider ? page : `${page}/${id}`}
        search={isProvider ? { q: name } : {}}
        className="min-w-0 truncate"
      >
        {name}
      </PageLink>
    </span>
  )
}

function toFilter(days: string, actor: string | undefined, target: string | undefined) {
  const from = findBegin(days)
  return {
    ...(from === undefined ? {} : { from }),
    ...(actor === undefined ? {} : { actor }),
    ...(target === undefined ? {} : { target }),
  }
}

/** Asked for by its id when it is not in sight, so that a link works whatever page and filter of the list it was taken from. */
function EntryDrawer({
  id,
  listed,
  onClose,
  onTarget,
}: {
  readonly id: string
  readonly listed: Entry | undefined
  readonly onClose: () => void
  readonly onTarget: (target: string) => void
}) {
  const asked = useGet('/admin/audit', { params: { query: { ids: id, limit: 1 } } }, { enabled: listed === undefined })
  const entry = listed ?? asked.data?.data[0]
  const isUnknownId = asked.data?.data.length === 0 || isUnknown(asked.error)
  if (entry === undefined)
    return (
      <Drawer isOpen onClose={onClose} title="Audit entry">
        {isUnknownId ? (
          <Unknown word="entry">It may be older than what is kept, or the address is not complete.</Unknown>
        ) : (
          <QueryView query={asked}>{() => null}</QueryView>
        )}
      </Drawer>
    )
  return (
    <Drawer isOpen onClose={onClose} title={entry.action} lead={`${entry.actor}, ${formatTimeExact(entry.at)}`}>
      <Detail entry={entry} onTarget={onTarget} />
    </Drawer>
  )
}

function Detail({ entry, onTarget }: { readonly entry: Entry; readonly onTarget: (target: string) => void }) {
  const changes = listChanges(entry.before, entry.after)
  const { target } = entry
  return (
    <div className="flex flex-col gap-5">
      <Facts
        facts={[
          { name: 'Target', value: <Target entry={entry} /> },
          ...(entry.target_name === null ? [] : [{ name: 'Its id', value: target }]),
          { name: 'From', value: entry.source_address ?? <Nothing /> },
          { name: 'Request', value: entry.request_id ?? <Nothing /> },
        ]}
      />
      {target !== null && (
        <button type="button" className="self-start text-accent hover:underline" onClick={() => onTarget(target)}>
          Everything that happened to this
        </button>
      )}
      {changes.length === 0 ? (
        <p className="text-text-3">No values were recorded.</p>
      ) : (
        <div className="overflow-x-auto">
          <table className="w-full border-collapse text-left text-13">
            <caption className="sr-only">What changed</caption>
            <thead>
              <tr className="border-b border-line text-12 text-text-3">
                <th scope="col" className="py-2 pr-3 font-medium">
                  Field
                </th>
                <th scope="col" className="py-2 pr-3 font-medium">
                  Before
                </th>
                <th scope="col" className="py-2 font-medium">
                  After
                </th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ field, before, after }) => (
                <tr key={field} className="border-b border-line align-top last:border-0">
                  <th scope="row" className="py-2 pr-3 font-medium">
                    {field}
                  </th>
                  <td className="py-2 pr-3 font-mono text-12 text-text-2 [overflow-wrap:anywhere]">{shown(before)}</td>
                  <td className="py-2 font-mono text-12 [overflow-wrap:anywhere]">{shown(after)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}

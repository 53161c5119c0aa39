/** The active keys of a person or a team, and the way to all of them. */
import { useGet } from '../../../api/queries.ts'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { QueryView } from '../../../ui/states.tsx'
import { Money, Time } from '../../../ui/values.tsx'
import { KeyLink } from '../../keys/key-link.tsx'

export function KeyRows({
  query,
  empty,
}: {
  readonly query: { readonly team_id: string } | { readonly user_id: string }
  readonly empty: string
}) {
  const keys = useGet('/admin/keys', {
    params: { query: { ...query, status: 'active', limit: 50, sort: '-last_used_at' } },
  })
  return (
    <div className="pt-2">
      <QueryView query={keys}>
        {({ data, has_more: hasMore }) => (
          <>
            <PlainTable
              caption="Active keys"
              rows={data}
              rowId={({ id }) => id}
              empty={empty}
              columns={[
                {
                  id: 'name',
                  header: 'Name',
                  cell: ({ id, name }) => <KeyLink id={id} name={name} />,
                },
                {
                  id: 'prefix',
                  header: 'Begins with',
                  isMinor: true,
                  cell: ({ prefix }) => <code className="font-mono text-12">{prefix}…</code>,
                },
                { id: 'spend', header: 'Spend', align: 'right', cell: ({ spend_usd: usd }) => <Money usd={usd} /> },
                { id: 'used', header: 'Last used', cell: ({ last_used_at: at }) => <Time at={at} /> },
              ]}
            />
            {hasMore && <p className="px-4 pb-3 text-12 text-text-3">The 50 that were used last.</p>}
          </>
        )}
      </QueryView>
    </div>
  )
}

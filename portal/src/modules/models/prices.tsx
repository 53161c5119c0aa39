/** What a million tokens costs, where the price is from, and a way to set one's own. */
import { Pencil, Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { type Answer, api } from '../../api/client.ts'
import { useGet, useWrite } from '../../api/queries.ts'
import { useRights } from '../../app/rights.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { DataTable, useListParams } from '../../ui/data-table.tsx'
import { formatCount, formatRate, formatTime } from '../../ui/format.ts'
import { Card } from '../../ui/layout.tsx'
import { Badge, Callout, Failure } from '../../ui/states.tsx'
import type { Column } from '../../ui/table-column.ts'
import { Nothing } from '../../ui/values.tsx'
import { AddPrice } from './add-price.tsx'
import type { Price } from './price.ts'
import { PriceForm } from './price-form.tsx'
import { type Unpriced, unpricedTitle, withoutPrice } from './unpriced.ts'

const sources = { seed: 'built in', price_list: 'price list', admin: 'an administrator' } as const

function Rate({ usd }: { readonly usd: number | null }) {
  return usd === null ? <Nothing word="no price" /> : <span className="tabular">{formatRate(usd)}</span>
}

function unpricedText({ model, requests }: Unpriced): string {
  if (requests === 0) return `${model}: not called in 30 days.`
  return `${model}: the cost of ${requests === 1 ? '1 request' : `${formatCount(requests)} requests`} is an estimate.`
}

function changeColumn(open: (price: Price) => void): Column<Price> {
  return {
    id: 'change',
    header: 'Change',
    align: 'right',
    cell: (price) => (
      <IconButton
        icon={Pencil}
        label={`Change the price of ${price.model_id}, ${price.scope}`}
        onClick={() => open(price)}
      />
    ),
  }
}

export function Prices() {
  const [open, setOpen] = useState<Price>()
  const [adding, setAdding] = useState<Unpriced | 'another'>()
  const params = useListParams()
  const list = useGet('/admin/pricing', { params: { query: params } }, { keepPrevious: true })
  const { isAdmin, may } = useRights()
  const status = useGet('/admin/status', undefined, { enabled: may('ops:operate') })
  const refresh = useWrite(() => api.post('/admin/pricing/refresh'), { refreshes: ['/admin/pricing', '/admin/status'] })
  const unpriced = withoutPrice(status.data?.unpriced_models ?? [])
  const columns: readonly Column<Price>[] = [
    { id: 'model', header: 'Hosted model', sort: 'model_id', cell: ({ model_id }) => model_id },
    { id: 'scope', header: 'Scope', cell: ({ scope }) => scope },
    { id: 'in', header: 'Input', align: 'right', cell: (price) => <Rate usd={price.input_usd_per_mtok} /> },
    { id: 'out', header: 'Output', align: 'right', cell: (price) => <Rate usd={price.output_usd_per_mtok} /> },
    {
      id: 'read',
      header: 'Cache read',
      align: 'right',
      isMinor: true,
      cell: (price) => <Rate usd={price.cache_read_usd_per_mtok} />,
    },
    {
      id: 'write',
      header: 'Cache write, 5 min',
      align: 'right',
      isMinor: true,
      cell: (price) => <Rate usd={price.cache_write_5m_usd_per_mtok} />,
    },
    {
      id: 'source',
      header: 'From',
      isMinor: true,
      cell: ({ source, updated_at: at }) =>
        source === null ? (
          <Badge tone="warn">No price</Badge>
        ) : (
          <span title={at === null ? undefined : formatTime(at)}>{sources[source]}</span>
        ),
    },
    ...(isAdmin ? [changeColumn(setOpen)] : []),
  ]
  const add = isAdmin && (
    <Button icon={Plus} onClick={() => setAdding('another')}>
      Add price
    </Button>
  )
  return (
    <>
      {status.error !== null && (
        <Failure
          error={status.error}
          title="Which models are used without a price is not known"
          retry={() => void status.refetch()}
        />
      )}
      {unpriced.length > 0 && (
        <Callout tone="warn" title={unpricedTitle(unpriced)}>
          <ul className="mt-1 list-inside list-disc">
            {unpriced.map((one) => (
              <li key={one.model}>
                {unpricedText(one)}{' '}
                {isAdmin && (
                  <button
                    type="button"
                    className="font-medium underline"
                    aria-label={`Set a price for ${one.model}`}
                    onClick={() => setAdding(one)}
                  >
                    Set a price
                  </button>
                )}
              </li>
            ))}
          </ul>
        </Callout>
      )}
      {refresh.data !== undefined && <Refreshed result={refresh.data} />}
      <Card
        title="Prices"
        lead="US dollars for a million tokens. An administrator’s price wins over the price list, that one over the built-in price."
        actions={
          isAdmin && (
            <>
              <Button icon={RefreshCw} isBusy={refresh.isPending} onClick={() => refresh.mutate(undefined)}>
                Read the price list now
              </Button>
              {add}
            </>
          )
        }
        isFlush
      >
        <DataTable
          caption="All prices"
          columns={columns}
          query={list}
          rowId={({ model_id, scope }) => `${model_id} ${scope}`}
          searchLabel="Search models"
          empty={{ title: 'No prices', text: 'Read the price list, or set prices by hand.', action: add }}
        />
      </Card>
      {adding !== undefined && (
        <AddPrice unpriced={adding === 'another' ? undefined : adding} onClose={() => setAdding(undefined)} />
      )}
      {open !== undefined && <PriceForm price={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function Refreshed({ result }: { readonly result: Answer<'/admin/pricing/refresh', 'post'> }) {
  return (
    <Callout
      tone={result.success ? 'ok' : 'bad'}
      title={result.success ? 'The price list was read' : 'The price list could not be read'}
    >
      {result.success ? `${result.listed} prices listed, ${result.changed} changed.` : result.error}
      {result.regions
        .filter(({ error }) => error !== null)
        .map(({ region, error }) => (
          <p key={region}>
            {region}: {error}
          </p>
        ))}
    </Callout>
  )
}

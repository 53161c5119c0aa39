/** An administrator's own price of one model, or back to the list's. */
import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import * as z from 'zod/mini'
import { api } from '../../api/client.ts'
import { useWrite } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import type { Price } from './price.ts'
import { parseRates, RateFields, rateShape } from './price-rates.tsx'

type Values = z.infer<typeof schema>
const schema = z.object(rateShape)
const text = (value: number | null): string => (value === null ? '' : String(value))

export function PriceForm({ price, onClose }: { readonly price: Price; readonly onClose: () => void }) {
  const [isLeaving, setIsLeaving] = useState(false)
  /** What was typed before the question, for whoever answers it with no. */
  const [typed, setTyped] = useState<Values>()
  const { model_id, scope } = price
  const refreshes = ['/admin/pricing', '/admin/status'] as const
  const put = useWrite(
    (values: Values) =>
      api.put('/admin/pricing/{model_id}', {
        params: { path: { model_id } },
        body: { ...parseRates(values), long_context: price.long_context, scope },
      }),
    {
      refreshes,
      done: `The price of ${model_id} is saved; it counts for calls from now on.`,
      onDone: onClose,
      showsErrors: true,
    },
  )
  const remove = useWrite(
    () => api.delete('/admin/pricing/{model_id}', { params: { path: { model_id }, query: { scope } } }),
    { refreshes, done: 'The price of the list counts again.', onDone: onClose, showsErrors: true },
  )
  return (
    <>
      <Dialog
        isOpen={!isLeaving}
        onClose={onClose}
        title={`Price of ${model_id}`}
        lead={`For profiles of the scope ${scope}; US dollars for a million tokens.`}
      >
        <Form
          schema={schema}
          defaults={typed ?? toValues(price)}
          submit="Save price"
          onCancel={onClose}
          onSubmit={(values) => put.mutateAsync(values)}
          actions={
            price.source === 'admin' && (
              <BackToList
                onClick={(values) => {
                  setTyped(values)
                  setIsLeaving(true)
                }}
              />
            )
          }
        >
          <RateFields />
        </Form>
      </Dialog>
      <Confirm
        isOpen={isLeaving}
        onClose={() => setIsLeaving(false)}
        title="Remove this price?"
        action="Remove"
        onConfirm={() => remove.mutateAsync(undefined)}
      >
        The price list, or the built-in price, counts for new calls. Calls that were recorded keep their cost.
      </Confirm>
    </>
  )
}

function BackToList({ onClick }: { readonly onClick: (typed: Values) => void }) {
  const { getValues } = useFormContext<Values>()
  return (
    <Button tone="danger" onClick={() => onClick(getValues())}>
      Back to the list’s price
    </Button>
  )
}

function toValues(price: Price): Values {
  return {
    input_usd_per_mtok: text(price.input_usd_per_mtok),
    output_usd_per_mtok: text(price.output_usd_per_mtok),
    cache_read_usd_per_mtok: text(price.cache_read_usd_per_mtok),
    cache_write_5m_usd_per_mtok: text(price.cache_write_5m_usd_per_mtok),
    cache_write_1h_usd_per_mtok: text(price.cache_write_1h_usd_per_mtok),
  }
}

/** A price for a model that is in no list: it was called by its hosted name, and nothing maps to it. */
import * as z from 'zod/mini'
import { api } from '../../api/client.ts'
import { useGet, useWrite } from '../../api/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { exactly } from '../analytics/requests/exact-name.ts'
import { noRates, parseRates, RateFields, rateShape } from './price-rates.tsx'
import type { Unpriced } from './unpriced.ts'

const schema = z.object({
  model_id: z
    .string()
    .check(
      z.trim(),
      z.regex(/^anthropic\.\S+$/, 'A hosted model such as anthropic.claude-sonnet-5, without a region.'),
    ),
  scope: z.enum(['both', 'global', 'geo', 'us-gov']),
  ...rateShape,
})

const scopes = [
  { value: 'both', label: 'global and geo' },
  { value: 'global', label: 'global' },
  { value: 'geo', label: 'geo' },
  { value: 'us-gov', label: 'us-gov' },
]

/** A name that nothing maps to any more does not tell its hosted model; its last call does. */
function useHostedModel(unpriced: Unpriced | undefined): string | undefined {
  const isAsked = unpriced !== undefined && unpriced.hosted_model_id === null
  const { data, isLoading } = useGet(
    '/admin/requests',
    { params: { query: { ...exactly({ model: unpriced?.model }), flag: 'price_estimated', limit: 1 } } },
    { enabled: isAsked },
  )
  if (isLoading) return undefined
  return unpriced?.hosted_model_id ?? /anthropic\.[^/]+$/.exec(data?.data[0]?.hosted_model ?? '')?.[0] ?? ''
}

interface AddPriceProps {
  /** The model that the form begins with. */
  readonly unpriced: Unpriced | undefined
  readonly onClose: () => void
}

export function AddPrice({ unpriced, onClose }: AddPriceProps) {
  const modelId = useHostedModel(unpriced)
  const put = useWrite(
    ({ model_id, scope, ...rates }: z.infer<typeof schema>) =>
      api.put('/admin/pricing/{model_id}', { params: { path: { model_id } }, body: { ...parseRates(rates), scope } }),
    {
      refreshes: ['/admin/pricing', '/admin/status'],
      done: ({ data }) => `The price of ${data[0]?.model_id ?? 'the model'} is saved; it counts for calls from now on.`,
      onDone: onClose,
      showsErrors: true,
    },
  )
  // Opened with what it begins with, so that the keyboard begins in its first field.
  if (modelId === undefined) return null
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add a price"
      lead="US dollars for a million tokens. It counts before every other price of this model."
    >
      <Form
        schema={schema}
        defaults={{ model_id: modelId, scope: 'both', ...noRates }}
        submit="Save price"
        onCancel={onClose}
        onSubmit={(values) => put.mutateAsync(values)}
      >
        <TextField name="model_id" label="Hosted model" placeholder="anthropic.claude-opus-5" />
        <SelectField name="scope" label="Scope" choices={scopes} hint="Of the profiles that it is called by." />
        <RateFields />
      </Form>
    </Dialog>
  )
}

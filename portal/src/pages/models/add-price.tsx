/** A price for a model that is in no list: it was called by its hosted name, and nothing maps to it. */
import * as z from 'zod/mini'
import { api } from '../../api/client.ts'
import { useWrite } from '../../api/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { noRates, RateFields, rateShape, ratesOf } from './price-rates.tsx'

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

export function AddPrice({ modelId, onClose }: { readonly modelId: string; readonly onClose: () => void }) {
  const put = useWrite(
    ({ model_id, scope, ...rates }: z.infer<typeof schema>) =>
      api.put('/admin/pricing/{model_id}', { params: { path: { model_id } }, body: { ...ratesOf(rates), scope } }),
    {
      refreshes: ['/admin/pricing', '/admin/status'],
      done: ({ data }) => `The price of ${data[0]?.model_id ?? 'the model'} is saved; it counts for calls from now on.`,
      onDone: onClose,
      showsErrors: true,
    },
  )
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

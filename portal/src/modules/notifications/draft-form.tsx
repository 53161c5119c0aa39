/** Writing the draft of a destination. */
import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { api } from '../../api/client.ts'
import { useWrite } from '../../api/queries.ts'
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { Card } from '../../ui/layout.tsx'
import { categories, usualCategories } from './categories.ts'
import { configPath, type Destination, typeNames } from './destination.ts'

const schema = z.object({
  destination_type: z.enum(['webhook', 'topic', 'event_bus']),
  destination: z.string().check(z.trim(), z.regex(/^(https:\/\/|arn:aws)/, 'An https address, or an ARN.')),
  secret: z.string(),
  categories: z.record(z.enum(['budget', 'rate_limit', 'keys', 'digest']), z.boolean()),
})

export function DraftForm({
  draft,
  onSaved,
  onDone,
}: {
  readonly draft: Destination | null
  /** What was found out about the draft before is not about this one. */
  readonly onSaved: () => void
  readonly onDone: () => void
}) {
  const save = useWrite(
    ({ secret, ...rest }: z.infer<typeof schema>) =>
      api.put('/admin/notifications/config', { body: { ...rest, ...(secret === '' ? {} : { secret }) } }),
    {
      refreshes: configPath,
      done: 'The draft is saved. Test it before you activate it.',
      onDone: () => {
        onSaved()
        onDone()
      },
      showsErrors: true,
    },
  )
  return (
    <Card
      title={draft === null ? 'New draft' : 'Change the draft'}
      lead="Saved as a draft: nothing is sent until it was tested and activated."
    >
      <Form
        schema={schema}
        defaults={{
          destination_type: draft?.destination_type ?? 'webhook',
          destination: draft?.destination ?? '',
          secret: '',
          categories: draft?.categories ?? usualCategories,
        }}
        submit="Save draft"
        {...(draft === null ? {} : { onCancel: onDone })}
        onSubmit={(values) => save.mutateAsync(values)}
      >
        <SelectField
          name="destination_type"
          label="Kind"
          choices={Object.entries(typeNames).map(([value, label]) => ({ value, label }))}
        />
        <DestinationFields hasSecret={draft?.has_secret ?? false} />
        {categories.map(({ name, label }) => (
          <CheckField key={name} name={`categories.${name}`} label={label} />
        ))}
      </Form>
    </Card>
  )
}

function DestinationFields({ hasSecret }: { readonly hasSecret: boolean }) {
  const type = useWatch({ name: 'destination_type' }) as Destination['destination_type']
  const isWebhook = type === 'webhook'
  return (
    <>
      <TextField
        name="destination"
        label={isWebhook ? 'Address' : 'ARN'}
        placeholder={
          isWebhook ? 'https://hooks.example.com/causeway' : `arn:aws:${type === 'topic' ? 'sns' : 'events'}:…`
        }
      />
      {isWebhook && (
        <TextField
          name="secret"
          type="password"
          label="Secret for the signature"
          hint={
            hasSecret
              ? 'Leave it empty to keep the stored one.'
              : 'Signs every delivery in x-gateway-signature. May be empty.'
          }
        />
      )}
    </>
  )
}

/** Making a key: a name and an end for everybody, owner, team and limits for administrators. */
import { useState } from 'react'
import * as z from 'zod/mini'
import { useWrite } from '../../api/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { SubjectField } from '../../ui/subject-select.tsx'
import { KeySecret } from './key-secret.tsx'
import { createKey, keyPaths, lifetimes, type NewKey, type Owner, toExpiry } from './key-writes.ts'

const MAX_RPM = 1_000_000

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Give the key a name.'), z.maxLength(100, 'At most 100 characters.')),
  expires_at: z.string(),
  user_id: z.string(),
  team_id: z.string(),
  rate_limit_rpm: z
    .string()
    .check(z.refine((text) => text === '' || isRpm(text), `A whole number from 1 to ${MAX_RPM}, or empty.`)),
  allowed_models: z.string(),
})

function isRpm(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_RPM
}

const defaults = { name: '', expires_at: '90', user_id: '', team_id: '', rate_limit_rpm: '', allowed_models: '' }

export function CreateKey({ owner, onClose }: { readonly owner: Owner; readonly onClose: () => void }) {
  const [made, setMade] = useState<NewKey>()
  const create = useWrite((values: z.infer<typeof schema>) => createKey(owner, toBody(values)), {
    refreshes: keyPaths,
    onDone: setMade,
    showsErrors: true,
  })
  if (made !== undefined) return <KeySecret made={made} owner={owner} onClose={onClose} />
  // The secret that is on its way is shown only once, and here.
  const close = (): void => {
    if (!create.isPending) onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={close}
      title="New key"
      lead={
        owner === 'all'
          ? 'For a person, a team, or neither.'
          : 'It belongs to you; what it spends counts to your budget.'
      }
    >
      <Form
        schema={schema}
        defaults={defaults}
        submit="Create key"
        onCancel={close}
        onSubmit={(values) => create.mutateAsync(values)}
      >
        <TextField name="name" label="Name" hint="What will use it: “ci-build”, “nightly-review”." />
        <SelectField name="expires_at" label="Expires after" choices={lifetimes} />
        {owner === 'all' && <AdminFields />}
      </Form>
    </Dialog>
  )
}

function AdminFields() {
  return (
    <>
      <SubjectField
        kind="user"
        name="user_id"
        label="Owner"
        none="Nobody"
        hint="What the key spends counts to this person’s budget."
      />
      <SubjectField kind="team" name="team_id" label="Team" none="The owner’s team" />
      <TextField
        name="rate_limit_rpm"
        label="Requests a minute"
        hint="Empty: no limit of its own."
        inputMode="numeric"
      />
      <TextField
        name="allowed_models"
        label="Models"
        hint="Model ids with commas between them. Empty: every model the owner may use."
      />
    </>
  )
}

function toBody(values: z.infer<typeof schema>) {
  const models = values.allowed_models
    .split(',')
    .map((model) => model.trim())
    .filter((model) => model !== '')
  return {
    name: values.name,
    expires_at: toExpiry(values.expires_at),
    ...(values.user_id === '' ? {} : { user_id: values.user_id }),
    ...(values.team_id === '' ? {} : { team_id: values.team_id }),
    ...(values.rate_limit_rpm === '' ? {} : { rate_limit_rpm: Number(values.rate_limit_rpm) }),
    ...(models.length === 0 ? {} : { allowed_models: models }),
  }
}

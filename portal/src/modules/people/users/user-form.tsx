/** Makes a person, or changes the role, the grants and the e-mail address of one. */
import * as z from 'zod/mini'
import { api } from '../../../api/client.ts'
import { useWrite } from '../../../api/queries.ts'
import { type Grant, grantTexts } from '../../../app/rights.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { CheckField, SelectField, TextField } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { type User, userPaths } from './user-columns.tsx'

const schema = z.object({
  subject: z
    .string()
    .check(z.trim(), z.minLength(1, 'A person needs a subject.'), z.maxLength(320, 'At most 320 characters.')),
  email: z.string().check(z.trim(), z.maxLength(320, 'At most 320 characters.')),
  role: z.enum(['member', 'admin']),
  grants: z.record(z.string(), z.boolean()),
})

type Values = z.infer<typeof schema>

const roles = [
  { value: 'member', label: 'Member' },
  { value: 'admin', label: 'Administrator' },
] as const

function listChosen(grants: Values['grants']): Grant[] {
  return grantTexts.map(({ grant }) => grant).filter((grant) => grants[grant] === true)
}

export function UserForm({
  user,
  onClose,
  onSaved,
}: {
  /** Undefined makes a new one. */
  readonly user: User | undefined
  readonly onClose: () => void
  readonly onSaved?: (user: User) => void
}) {
  const save = useWrite(
    ({ subject, email, role, grants }: Values): Promise<User> => {
      const shared = { email: email === '' ? null : email, role, grants: listChosen(grants) }
      return user === undefined
        ? api.post('/admin/users', { body: { subject, ...shared } })
        : api.patch('/admin/users/{user_id}', { params: { path: { user_id: user.id } }, body: shared })
    },
    {
      refreshes: userPaths,
      done: ({ subject }) => (user === undefined ? `${subject} is added.` : `${subject} is saved.`),
      onDone: (saved) => {
        onClose()
        onSaved?.(saved)
      },
      showsErrors: true,
    },
  )
  return (
    <Dialog isOpen onClose={onClose} title={user === undefined ? 'Add a person' : `Change ${user.subject}`}>
      <Form
        schema={schema}
        defaults={{
          subject: user?.subject ?? '',
          email: user?.email ?? '',
          role: user?.role ?? 'member',
          grants: Object.fromEntries(grantTexts.map(({ grant }) => [grant, user?.grants.includes(grant) ?? false])),
        }}
        submit={user === undefined ? 'Add' : 'Save'}
        onCancel={onClose}
        onSubmit={(values) => save.mutateAsync(values)}
      >
        {user === undefined && (
          <TextField
            name="subject"
            label="Subject"
            hint="What the identity provider calls them, usually the e-mail address. It cannot be changed later."
          />
        )}
        <TextField name="email" label="E-mail address" inputMode="email" hint="May stay empty." />
        <SelectField
          name="role"
          label="Role"
          choices={roles}
          hint={
            user === undefined
              ? 'Administrators see and change everything.'
              : 'A new role ends the sessions of the person.'
          }
        />
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-2 font-medium">Grants</legend>
          <p className="text-12 text-text-3">
            For somebody who is no administrator. They count within 5 seconds, and never for keys.
          </p>
          {grantTexts.map(({ grant, label, text }) => (
            <CheckField key={grant} name={`grants.${grant}`} label={label} hint={text} />
          ))}
        </fieldset>
      </Form>
    </Dialog>
  )
}

/** Brings many people in at once: their addresses, pasted, one a line. Pasting them again adds whoever is missing. */
import * as z from 'zod/mini'
import { ApiError, toApiError } from '../../../api/api-error.ts'
import { api } from '../../../api/client.ts'
import { useWrite } from '../../../api/queries.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextAreaField } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { SubjectField } from '../../../ui/subject-select.tsx'
import { writeEach } from '../../../ui/write-each.ts'
import { subjectsIn } from './subjects-in.ts'
import { userPaths } from './user-columns.tsx'

const schema = z.object({
  people: z.string().check(z.refine((text) => subjectsIn(text).length > 0, 'Paste at least one address.')),
  team_id: z.string(),
})

type Values = z.infer<typeof schema>

export function AddSeveral({ onClose }: { readonly onClose: () => void }) {
  const save = useWrite(
    async ({ people, team_id: team }: Values): Promise<{ added: number; present: number }> => {
      const subjects = subjectsIn(people)
      let present = 0
      await writeEach(subjects, async (subject) => {
        if (!(await add(subject, team === '' ? null : team))) present += 1
      })
      return { added: subjects.length - present, present }
    },
    {
      refreshes: userPaths,
      done: ({ added, present }) => `${counted(added)} added${present === 0 ? '' : `, ${present} here before`}.`,
      onDone: onClose,
      showsErrors: true,
      isPartial: true,
    },
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add several people"
      lead="They are members, and are bound to an identity when they first sign in. Whoever is here already stays as they are."
    >
      <Form
        schema={schema}
        defaults={{ people: '', team_id: '' }}
        submit="Add them"
        failureTitle="Not everybody was added"
        onCancel={onClose}
        onSubmit={(values) => save.mutateAsync(values)}
      >
        <TextAreaField
          name="people"
          label="Addresses"
          rows={8}
          spellCheck={false}
          hint="One a line, as the identity provider calls them. A list from a mail program works too."
        />
        <SubjectField kind="team" name="team_id" label="Team" none="No team" />
      </Form>
    </Dialog>
  )
}

/** False when they are here already. */
async function add(subject: string, team: string | null): Promise<boolean> {
  const email = /^\S+@\S+$/.test(subject) ? subject : null
  try {
    await api.post('/admin/users', { body: { subject, email, team_id: team } })
    return true
  } catch (error) {
    const { message, ...parts } = toApiError(error)
    if (parts.code === 'conflict') return false
    // Of many, the words alone would not say which.
    throw new ApiError(`${subject}: ${message}`, parts)
  }
}

function counted(count: number): string {
  return count === 1 ? '1 person is' : `${count} people are`
}

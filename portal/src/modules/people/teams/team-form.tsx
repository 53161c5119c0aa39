/** A team's only field is its name. */
import * as z from 'zod/mini'
import { type Answer, api } from '../../../api/client.ts'
import { useWrite } from '../../../api/queries.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'

export type Team = Answer<'/admin/teams', 'get'>['data'][number]

export const teamPaths = ['/admin/teams', '/admin/users', '/admin/keys', '/admin/budgets', '/auth/me'] as const

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'A team needs a name.'), z.maxLength(100, 'At most 100 characters.')),
})

export function TeamForm({
  team,
  onClose,
  onSaved,
}: {
  /** Undefined makes a new one. */
  readonly team: Team | undefined
  readonly onClose: () => void
  readonly onSaved?: (team: Team) => void
}) {
  const save = useWrite(
    (body: z.infer<typeof schema>): Promise<Team> =>
      team === undefined
        ? api.post('/admin/teams', { body })
        : api.patch('/admin/teams/{team_id}', { params: { path: { team_id: team.id } }, body }),
    {
      refreshes: teamPaths,
      done: ({ name }) => (team === undefined ? `The team ${name} is there.` : `The team is called ${name} now.`),
      onDone: (saved) => {
        onClose()
        onSaved?.(saved)
      },
      showsErrors: true,
    },
  )
  return (
    <Dialog isOpen onClose={onClose} title={team === undefined ? 'New team' : `Rename ${team.name}`}>
      <Form
        schema={schema}
        defaults={{ name: team?.name ?? '' }}
        submit={team === undefined ? 'Create team' : 'Rename'}
        onCancel={onClose}
        onSubmit={(values) => save.mutateAsync(values)}
      >
        <TextField name="name" label="Name" />
      </Form>
    </Dialog>
  )
}

/** Something for all people who are chosen in the table: another team, or no way in. */
import { useState } from 'react'
import * as z from 'zod/mini'
import { api } from '../../../api/client.ts'
import { useWrite } from '../../../api/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm, Dialog } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { SubjectField } from '../../../ui/subject-select.tsx'
import { writeEach } from '../../../ui/write-each.ts'
import { type User, userPaths } from './user-columns.tsx'

/** Leaving all teams is a choice like any other, and never what happens to whoever chose none. */
const NO_TEAM = 'none'
const noTeam = [{ value: NO_TEAM, label: 'No team' }]

const schema = z.object({ team_id: z.string().check(z.minLength(1, 'Choose a team, or none.')) })

export function BulkPeople({ people, onDone }: { readonly people: readonly User[]; readonly onDone: () => void }) {
  const [open, setOpen] = useState<'move' | 'suspend'>()
  const close = (): void => setOpen(undefined)
  const active = people.filter((user) => user.active)
  const named = (list: readonly User[]): string => (list.length === 1 ? '1 person' : `${list.length} people`)
  const move = useWrite(
    (team: string | null) =>
      writeEach(people, ({ id }) =>
        api.put('/admin/users/{user_id}/team', { params: { path: { user_id: id } }, body: { team_id: team } }),
      ),
    {
      refreshes: userPaths,
      done: `The team of ${named(people)} is saved.`,
      onDone,
      showsErrors: true,
      isPartial: true,
    },
  )
  const suspend = useWrite(
    () =>
      writeEach(active, ({ id }) =>
        api.patch('/admin/users/{user_id}', { params: { path: { user_id: id } }, body: { active: false } }),
      ),
    { refreshes: userPaths, done: `${named(active)} suspended.`, onDone, showsErrors: true, isPartial: true },
  )
  return (
    <>
      <Button onClick={() => setOpen('move')}>Change team</Button>
      <Button tone="danger" disabled={active.length === 0} onClick={() => setOpen('suspend')}>
        Suspend
      </Button>
      {open === 'move' && (
        <Dialog
          isOpen
          onClose={close}
          title={`Team of ${named(people)}`}
          lead="They leave the team they are in; their keys are charged to this one from then on."
        >
          <Form
            schema={schema}
            defaults={{ team_id: '' }}
            submit="Save team"
            onCancel={close}
            onSubmit={({ team_id: team }) => move.mutateAsync(team === NO_TEAM ? null : team)}
          >
            <SubjectField kind="team" name="team_id" label="Team" none="Choose a team" others={noTeam} />
          </Form>
        </Dialog>
      )}
      <Confirm
        isOpen={open === 'suspend'}
        onClose={close}
        title={`Suspend ${named(active)}?`}
        action="Suspend"
        onConfirm={() => suspend.mutateAsync(undefined)}
      >
        Every session of theirs ends, and all their keys stop working within 5 seconds on every instance. Nothing is
        deleted; it works again when you let them back in.
      </Confirm>
    </>
  )
}

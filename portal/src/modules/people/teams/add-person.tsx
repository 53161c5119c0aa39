/** Puts people into a team; the window stays open for the next one. */
import { api } from '../../../api/client.ts'
import { useWrite } from '../../../api/queries.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FindSubject, type FoundSubject } from '../../../ui/find-subject.tsx'
import { type Team, teamPaths } from './team-form.tsx'

export function AddPerson({ team, onClose }: { readonly team: Team; readonly onClose: () => void }) {
  const add = useWrite(
    ({ id }: FoundSubject) =>
      api.put('/admin/users/{user_id}/team', { params: { path: { user_id: id } }, body: { team_id: team.id } }),
    { refreshes: teamPaths, done: ({ subject }) => `${subject} is in the team ${team.name} now.` },
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Add a person to ${team.name}`}
      lead="Whoever is in another team leaves it; their keys are charged to this one from then on."
    >
      <FindSubject kinds={['user']} action="Add" onChosen={(subject) => add.mutate(subject)} />
    </Dialog>
  )
}

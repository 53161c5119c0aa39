/** Whose budget it shall be: a team or a person, found by name. */
import { Dialog } from '../../ui/dialog.tsx'
import { FindSubject } from '../../ui/find-subject.tsx'
import type { BudgetSubject } from './budget-subject.ts'

export function NewBudget({
  onChosen,
  onClose,
}: {
  readonly onChosen: (subject: BudgetSubject) => void
  readonly onClose: () => void
}) {
  return (
    <Dialog isOpen onClose={onClose} title="Whose budget?" lead="A budget that is there already is replaced.">
      <FindSubject kinds={['team', 'user']} action="Choose" onChosen={onChosen} />
    </Dialog>
  )
}

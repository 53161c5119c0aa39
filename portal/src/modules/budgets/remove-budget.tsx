/** The question before a budget goes. */
import { useWrite } from '../../api/queries.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { type BudgetSubject, budgetPaths, nameOf, removeBudget } from './budget-subject.ts'

const consequences: Readonly<Record<BudgetSubject['kind'], string>> = {
  team: 'The team is no longer limited as a whole, and the limit for each member goes too.',
  user: 'The limit of the team for each member, or the default, counts instead. Without either, nothing limits them.',
  default: 'Whoever has no budget of their own and no limit of a team can spend without a limit.',
}

export function RemoveBudget({ subject, onClose }: { readonly subject: BudgetSubject; readonly onClose: () => void }) {
  const remove = useWrite(() => removeBudget(subject), {
    refreshes: budgetPaths,
    done: `The budget of ${nameOf(subject)} is removed.`,
    showsErrors: true,
  })
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Remove the budget of ${nameOf(subject)}?`}
      action="Remove"
      onConfirm={() => remove.mutateAsync(undefined)}
    >
      {consequences[subject.kind]} What was spent stays recorded.
    </Confirm>
  )
}

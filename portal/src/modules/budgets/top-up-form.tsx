/** Adds to a limit until its period ends. */
import * as z from 'zod/mini'
import { api } from '../../api/client.ts'
import { useWrite } from '../../api/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { formatTime, formatUsd } from '../../ui/format.ts'
import { budgetPaths, type OwnedSubject } from './budget-subject.ts'
import { dollars, words } from './dollars.ts'
import { TopUpList } from './top-up-list.tsx'

const schema = z.object({ amount_usd: dollars, reason: words })

type Values = z.infer<typeof schema>

function give({ kind, id }: OwnedSubject, { amount_usd: amount, reason }: Values) {
  const body = { amount_usd: Number(amount), ...(reason === '' ? {} : { reason }) }
  return kind === 'team'
    ? api.post('/admin/teams/{team_id}/budget/top-ups', { params: { path: { team_id: id } }, body })
    : api.post('/admin/users/{user_id}/budget/top-ups', { params: { path: { user_id: id } }, body })
}

/** `hasList`: with what was given before, where the page does not show it. */
export function TopUpForm({
  subject,
  hasList = false,
  onClose,
}: {
  readonly subject: OwnedSubject
  readonly hasList?: boolean
  readonly onClose: () => void
}) {
  const write = useWrite((values: Values) => give(subject, values), {
    refreshes: budgetPaths,
    done: (given) => `${formatUsd(given.amount_usd)} more for ${subject.name} until ${formatTime(given.ends_at)}.`,
    onDone: onClose,
    showsErrors: true,
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Top up ${subject.name}`}
      lead="The limit is higher by this amount until the budget resets. Then it ends by itself."
    >
      <Form
        schema={schema}
        defaults={{ amount_usd: '', reason: '' }}
        submit="Top up"
        failureTitle="Nothing was added"
        onCancel={onClose}
        onSubmit={(values) => write.mutateAsync(values)}
      >
        <TextField name="amount_usd" label="Amount in US dollars" inputMode="decimal" />
        <TextField name="reason" label="Reason" hint="For whoever reads it later. May be empty." />
      </Form>
      {hasList && <TopUpList subject={subject} />}
    </Dialog>
  )
}

/** Asks the administrators for more money, and takes that back. */
import * as z from 'zod/mini'
import { type Answer, api } from '../../api/client.ts'
import { useWrite } from '../../api/queries.ts'
import { dollars, words } from '../../modules/budgets/dollars.ts'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { formatUsd } from '../../ui/format.ts'

const schema = z.object({ amount_usd: dollars, reason: words })
const refreshes = ['/me/budget', '/admin/budget-requests'] as const

type Budget = Answer<'/me/budget', 'get'>['budgets'][number]
type OwnRequest = Answer<'/me/budget/requests', 'get'>['data'][number]

export function AskForm({ budget, onClose }: { readonly budget: Budget; readonly onClose: () => void }) {
  const ask = useWrite(
    ({ amount_usd: amount, reason }: z.infer<typeof schema>) =>
      api.post('/me/budget/requests', {
        body: { amount_usd: Number(amount), ...(reason === '' ? {} : { reason }) },
      }),
    {
      refreshes,
      done: (request) => `You asked for ${formatUsd(request.amount_usd)} more.`,
      onDone: onClose,
      showsErrors: true,
    },
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Ask for more"
      lead={`For ${budget.scope === 'user' ? 'your budget' : `the budget of the team ${budget.name}`}. Administrators see how it stands and what was spent in the last 30 days.`}
    >
      <Form
        schema={schema}
        defaults={{ amount_usd: '', reason: '' }}
        submit="Ask"
        failureTitle="Nobody was asked"
        onCancel={onClose}
        onSubmit={(values) => ask.mutateAsync(values)}
      >
        <TextField name="amount_usd" label="How much more, in US dollars" inputMode="decimal" />
        <TextField name="reason" label="What for" hint="A line that helps to decide. May be empty." />
      </Form>
    </Dialog>
  )
}

export function WithdrawQuestion({ request, onClose }: { readonly request: OwnRequest; readonly onClose: () => void }) {
  const withdraw = useWrite(
    () =>
      api.delete('/me/budget/requests/{budget_request_id}', { params: { path: { budget_request_id: request.id } } }),
    { refreshes, done: 'Your request is withdrawn.', showsErrors: true },
  )
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title="Withdraw your request?"
      action="Withdraw"
      onConfirm={() => withdraw.mutateAsync(undefined)}
    >
      You asked for {formatUsd(request.amount_usd)} more. You can ask again, for another amount.
    </Confirm>
  )
}

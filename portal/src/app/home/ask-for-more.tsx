/** The way to more money from the card of a budget: the button when it runs out, and what became of the last request. */
import { HandCoins, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { Answer } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { formatRelative, formatUsd } from '../../ui/format.ts'
import { lateWindow } from '../../ui/late-window.tsx'
import { Callout } from '../../ui/states.tsx'

type Budget = Answer<'/me/budget', 'get'>['budgets'][number]
export type OwnRequest = Answer<'/me/budget/requests', 'get'>['data'][number]

interface WindowProps {
  readonly onClose: () => void
}

const leave = ({ onClose }: WindowProps): void => onClose()
const AskForm = lateWindow<WindowProps & { readonly budget: Budget }>(
  async () => (await import('./ask-form.tsx')).AskForm,
  leave,
)
const WithdrawQuestion = lateWindow<WindowProps & { readonly request: OwnRequest }>(
  async () => (await import('./ask-form.tsx')).WithdrawQuestion,
  leave,
)

/** `isAskedFor`: of several budgets, more is asked for this one. */
export function AskForMore({
  budget,
  isAskedFor,
  requests,
}: {
  readonly budget: Budget
  readonly isAskedFor: boolean
  readonly requests: readonly OwnRequest[]
}) {
  const [open, setOpen] = useState<'ask' | 'withdraw'>()
  const close = (): void => setOpen(undefined)
  const [last] = requests
  const isOpen = last?.status === 'open'
  // What was decided is news as long as the period lasts in which it was asked.
  const shown = last?.scope === budget.scope && (isOpen || last.created_at >= budget.started_at) ? last : undefined
  return (
    <>
      {shown !== undefined && shown.status !== 'withdrawn' && (
        <div className="mt-3">
          <Callout
            {...describeState(shown)}
            {...(isOpen
              ? {
                  action: (
                    <Button icon={Undo2} onClick={() => setOpen('withdraw')}>
                      Withdraw
                    </Button>
                  ),
                }
              : {})}
          />
        </div>
      )}
      {isAskedFor && budget.status !== 'ok' && !isOpen && (
        <div className="mt-3">
          <Button icon={HandCoins} tone="primary" onClick={() => setOpen('ask')}>
            Ask for more
          </Button>
        </div>
      )}
      {open === 'ask' && <AskForm budget={budget} onClose={close} />}
      {open === 'withdraw' && last !== undefined && <WithdrawQuestion request={last} onClose={close} />}
    </>
  )
}

function describeState(request: OwnRequest) {
  const amount = formatUsd(request.amount_usd)
  const note = request.note === null ? '' : ` “${request.note}”`
  if (request.status === 'open')
    return {
      tone: 'info',
      title: `You asked for ${amount} more`,
      children: `Asked ${formatRelative(request.created_at)}. An administrator decides; you see it here.`,
    } as const
  if (request.status === 'approved')
    return {
      tone: 'ok',
      title: `${formatUsd(request.granted_usd ?? 0)} more, ${request.granted_as === 'raise' ? 'for good' : 'until your budget resets'}`,
      children: `Approved by ${request.decided_by}.${note}`,
    } as const
  return { tone: 'warn', title: `${amount} more were declined`, children: `By ${request.decided_by}.${note}` } as const
}

/** The first steps of an administrator, ticked off by what the gateway finds, not by what somebody claims. */

import { useNavigate } from '@tanstack/react-router'
import { CircleCheck, CircleDashed, RefreshCw } from 'lucide-react'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Command } from '../../ui/copy.tsx'
import { Card, Page } from '../../ui/layout.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import { DISMISSED, type FirstStep, useFirstSteps } from './first-steps.ts'

export function WelcomePage() {
  const { steps, error, refetch, isFetching, isLoading } = useFirstSteps()
  const navigate = useNavigate()
  const done = steps.filter(({ state }) => state === 'done').length
  return (
    <Page
      title="First steps"
      lead="The order is a proposal; everything can be changed later."
      isNarrow
      actions={
        <>
          <Button icon={RefreshCw} isBusy={isFetching} onClick={refetch}>
            Check again
          </Button>
          <Button
            tone="quiet"
            onClick={() => {
              localStorage.setItem(DISMISSED, 'yes')
              void navigate({ to: '/' } as never)
            }}
          >
            Do not show on Home
          </Button>
        </>
      }
    >
      {isLoading ? (
        <Loading rows={12} />
      ) : (
        <>
          {error !== null && <Failure error={error} retry={refetch} title="Not everything could be checked" />}
          <Card title={`${done} of ${steps.length} done`} isFlush>
            <ol className="border-t border-line">
              {steps.map((step) => (
                <StepRow key={step.id} step={step} />
              ))}
            </ol>
          </Card>
          <Card title="The address for everybody" lead="People open it, sign in, and find Connect.">
            <Command text={`${location.origin}/portal`} label="The address of the portal" />
          </Card>
        </>
      )}
    </Page>
  )
}

function StepRow({ step }: { readonly step: FirstStep }) {
  const isDone = step.state === 'done'
  const Icon = isDone ? CircleCheck : CircleDashed
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-line px-4 py-3.5 last:border-0">
      <Icon className={`mt-0.5 size-5 shrink-0 ${isDone ? 'text-ok' : 'text-text-3'}`} aria-hidden />
      <div className="min-w-0 flex-1 basis-60">
        <h3 className="font-medium">
          {step.title}
          <span className={`ml-2 text-12 font-normal ${isDone ? 'text-ok' : 'text-text-3'}`}>
            {step.state !== 'unknown' && <span className="sr-only">{isDone ? 'Done: ' : 'Not yet: '}</span>}
            {step.finding}
          </span>
        </h3>
        <p className="mt-0.5 text-13 text-text-2">{step.why}</p>
      </div>
      <ButtonLink to={step.to}>{step.action}</ButtonLink>
    </li>
  )
}

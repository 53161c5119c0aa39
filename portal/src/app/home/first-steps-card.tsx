/** For administrators of a gateway that is not fully set up yet. */
import { X } from 'lucide-react'
import { ButtonLink, IconButton } from '../../ui/button.tsx'
import type { FirstStep } from '../welcome/first-steps.ts'

export function FirstStepsCard({
  steps,
  onDismiss,
}: {
  readonly steps: readonly FirstStep[]
  readonly onDismiss: () => void
}) {
  const open = steps.filter(({ state }) => state === 'open')
  // What could not be asked is not done.
  const done = steps.filter(({ state }) => state === 'done')
  if (open.length === 0) return null
  return (
    <section aria-label="First steps" className="flex flex-wrap items-center gap-3 rounded-12 bg-accent-soft px-4 py-3">
      <p className="min-w-0 flex-1 basis-full sm:basis-0">
        <span className="font-medium">
          {done.length} of {steps.length} first steps are done.
        </span>{' '}
        <span className="text-text-2">Next: {open[0]?.title.toLowerCase()}.</span>
      </p>
      <ButtonLink to="/welcome" tone="primary">
        Show them
      </ButtonLink>
      <IconButton icon={X} label="Do not show this again" onClick={onDismiss} />
    </section>
  )
}

/** For administrators of a gateway that is not fully set up yet. */

import { X } from 'lucide-react'
import { useState } from 'react'
import { ButtonLink, IconButton } from '../../ui/button.tsx'
import { DISMISSED, useFirstSteps } from '../welcome/first-steps.ts'

export function FirstStepsCard() {
  const [isDismissed, setIsDismissed] = useState(() => localStorage.getItem(DISMISSED) === 'yes')
  const { steps } = useFirstSteps(!isDismissed)
  const open = steps.filter(({ state }) => state === 'open')
  if (isDismissed || open.length === 0) return null
  const dismiss = (): void => {
    localStorage.setItem(DISMISSED, 'yes')
    setIsDismissed(true)
  }
  return (
    <section aria-label="First steps" className="flex flex-wrap items-center gap-3 rounded-12 bg-accent-soft px-4 py-3">
      <p className="min-w-0 flex-1">
        <span className="font-medium">
          {steps.length - open.length} of {steps.length} first steps are done.
        </span>{' '}
        <span className="text-text-2">Next: {open[0]?.title.toLowerCase()}.</span>
      </p>
      <ButtonLink to="/welcome" tone="primary">
        Show them
      </ButtonLink>
      <IconButton icon={X} label="Do not show this again" onClick={dismiss} />
    </section>
  )
}

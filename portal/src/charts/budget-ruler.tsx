/** A budget as a ruler: how far it is spent, and at which marks something happens. */
import { clsx } from 'clsx'
import { formatUsd } from '../ui/format.ts'

export interface BudgetMark {
  readonly atPercent: number
  readonly action: 'notify' | 'shape' | 'block'
  readonly rpm?: number | undefined
}

const words = { notify: 'notifies', shape: 'slows down', block: 'stops' } as const

export function markText({ atPercent, action, rpm }: BudgetMark): string {
  return `${atPercent}% ${words[action]}${action === 'shape' && rpm !== undefined ? ` to ${rpm} a minute` : ''}`
}

type BudgetState = 'ok' | 'warning' | 'shaped' | 'blocked'

const fills: Readonly<Record<BudgetState, string>> = {
  ok: 'bg-accent',
  warning: 'bg-warn',
  shaped: 'bg-warn',
  blocked: 'bg-bad',
}

export function BudgetRuler({
  label,
  spendUsd,
  limitUsd,
  marks,
  state,
}: {
  readonly label: string
  readonly spendUsd: number
  readonly limitUsd: number
  readonly marks: readonly BudgetMark[]
  readonly state: BudgetState
}) {
  const percent = limitUsd > 0 ? (spendUsd / limitUsd) * 100 : 0
  const end = Math.max(100, ...marks.map(({ atPercent }) => atPercent))
  const place = (value: number): string => `${Math.min(100, (value / end) * 100)}%`
  return (
    <div>
      {/* biome-ignore lint/a11y/useSemanticElements: the element cannot carry marks, and browsers draw it each in their own way. */}
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={end}
        aria-valuenow={Math.min(end, Math.round(percent))}
        aria-valuetext={`${formatUsd(spendUsd)} of ${formatUsd(limitUsd)}, ${Math.round(percent)} percent`}
        className="relative h-2.5 rounded-full bg-sunken"
      >
        <div className={clsx('h-full rounded-full', fills[state])} style={{ width: place(percent) }} />
        {marks.map((mark) => (
          <span
            key={mark.atPercent}
            aria-hidden
            className={clsx(
              'absolute -top-1 h-4.5 w-0.5 rounded-full',
              mark.action === 'block' ? 'bg-bad' : mark.action === 'shape' ? 'bg-warn' : 'bg-text-3',
            )}
            style={{ left: `calc(${place(mark.atPercent)} - 2px)` }}
          />
        ))}
      </div>
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-12 text-text-3">
        {marks.map((mark) => (
          <li key={mark.atPercent}>{markText(mark)}</li>
        ))}
      </ul>
    </div>
  )
}

/** What one chooses outside of forms. Apart from the fields of forms, whose library pages without a form need not load. */
import { clsx } from 'clsx'
import { type ReactNode, useId } from 'react'

export interface Choice {
  readonly value: string
  readonly label: string
}

/** Outside of forms: a filter above a table, for example. The label may be hidden, never absent. */
export function Select({
  label,
  value,
  choices,
  onChange,
  isLabelHidden = false,
  isSteady = false,
}: {
  readonly label: string
  readonly value: string
  readonly choices: readonly Choice[]
  readonly onChange: (value: string) => void
  readonly isLabelHidden?: boolean
  /** As wide whatever is in the list: one that is filled later does not push away what stands beside it. */
  readonly isSteady?: boolean
}) {
  const id = useId()
  // What only a link can ask for is shown as well: the browser would show the first choice in its place, which nobody could then choose.
  const shown = choices.some((choice) => choice.value === value) ? choices : [...choices, { value, label: value }]
  return (
    <div className="flex min-w-0 items-center gap-2">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-text-3 whitespace-nowrap'}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={clsx('control min-w-0', isSteady ? '!w-40' : '!w-auto')}
      >
        {shown.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  )
}

/** A setting that takes effect at once. `isBusy` while the gateway has not answered. */
export function Toggle({
  label,
  hint,
  isOn,
  isBusy = false,
  onChange,
}: {
  readonly label: string
  readonly hint?: ReactNode
  readonly isOn: boolean
  readonly isBusy?: boolean
  readonly onChange: (next: boolean) => void
}) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <p id={id} className="font-medium">
          {label}
        </p>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-12 text-text-3">
            {hint}
          </p>
        )}
      </div>
      <button
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-labelledby={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        aria-disabled={isBusy || undefined}
        onClick={() => !isBusy && onChange(!isOn)}
        className={clsx(
          'relative mt-0.5 h-6 w-10 shrink-0 rounded-full border transition-colors duration-100',
          isOn ? 'border-accent bg-accent' : 'border-control bg-sunken',
        )}
      >
        <span
          className={clsx(
            'absolute top-[3px] left-[3px] size-4 rounded-full transition-transform duration-100',
            isOn ? 'translate-x-4 bg-on-accent' : 'bg-control',
          )}
        />
      </button>
    </div>
  )
}

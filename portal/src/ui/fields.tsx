/** The fields of a form. Each has a visible label, an optional hint, and its error beside it and read out with it. */
import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { useFormContext } from 'react-hook-form'
import type { Choice } from './controls.tsx'
import { useFieldState } from './form.tsx'

export interface FieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: ReactNode
}

interface Wiring {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean | undefined
}

export function FieldFrame({
  name,
  label,
  hint,
  children,
}: FieldProps & { readonly children: (wiring: Wiring) => ReactNode }) {
  const id = useId()
  const { error } = useFieldState(name)
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].join(' ').trim()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-12 text-text-3">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  )
}

function FieldError({ id, error }: { readonly id: string; readonly error: string | undefined }) {
  return error === undefined ? null : (
    <p id={id} role="alert" className="text-12 text-bad">
      {error}
    </p>
  )
}

type InputProps = FieldProps & Omit<ComponentProps<'input'>, 'name' | 'id'>

export function TextField({ name, label, hint, ...rest }: InputProps) {
  const { register } = useFormContext()
  return (
    <FieldFrame name={name} label={label} hint={hint}>
      {(wiring) => (
        <input
          autoComplete="off"
          {...rest}
          {...register(name)}
          {...wiring}
          className={clsx('control', rest.className)}
        />
      )}
    </FieldFrame>
  )
}

export function TextAreaField({ name, label, hint, ...rest }: FieldProps & Omit<ComponentProps<'textarea'>, 'name'>) {
  const { register } = useFormContext()
  return (
    <FieldFrame name={name} label={label} hint={hint}>
      {(wiring) => <textarea rows={4} {...rest} {...register(name)} {...wiring} className="control" />}
    </FieldFrame>
  )
}

/** The browser's own list: right on every device, and by keyboard without any of our code. */
export function SelectField({
  name,
  label,
  hint,
  choices,
  ...rest
}: FieldProps & { readonly choices: readonly Choice[] } & Omit<ComponentProps<'select'>, 'name' | 'children'>) {
  const { register } = useFormContext()
  return (
    <FieldFrame name={name} label={label} hint={hint}>
      {(wiring) => (
        <select {...rest} {...register(name)} {...wiring} className="control">
          {choices.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}

export function CheckField({ name, label, hint }: FieldProps) {
  const id = useId()
  const { register } = useFormContext()
  const { error } = useFieldState(name)
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="flex items-start gap-2.5">
        <input
          type="checkbox"
          id={id}
          {...register(name)}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          className="mt-0.5 size-4 accent-accent"
        />
        <span className="font-medium">{label}</span>
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="pl-6.5 text-12 text-text-3">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  )
}

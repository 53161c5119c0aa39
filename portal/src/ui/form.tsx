/** Forms: checked here by a zod schema and there by the gateway, whose complaints land at the field they name. What was typed survives every error. */
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { createContext, type MouseEvent, type ReactNode, useContext, useEffect, useRef } from 'react'
import {
  type DefaultValues,
  type FieldValues,
  FormProvider,
  type Resolver,
  useForm,
  useFormContext,
} from 'react-hook-form'
import * as z from 'zod/mini'
import { type ApiError, toApiError } from '../api/api-error.ts'
import { showError, useIsShown } from '../api/queries.ts'
import { Button, type ButtonTone } from './button.tsx'
import { Failure } from './states.tsx'

/** zod would try to compile schemas, which the policy of the page forbids and the browser reports. */
z.config({ jitless: true })

interface FormProps<Values extends FieldValues, Output> {
  /** From `zod/mini`: its output is what `onSubmit` gets. */
  readonly schema: z.ZodMiniType<Output, Values>
  readonly defaults: DefaultValues<Values>
  /** Throws what the gateway answered; returning means that it was saved. */
  readonly onSubmit: (values: Output) => Promise<unknown>
  readonly submit: string
  readonly submitTone?: ButtonTone
  readonly onCancel?: () => void
  /** More buttons beside the first one. */
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** Empties the form after success, for forms that stay on the page. */
  readonly isResetAfter?: boolean
  /**
   * For a form of what is in force: whenever that changes, by whomever, it is shown. In place, since a form that is made anew
   * would take the keyboard away from its button.
   */
  readonly followsDefaults?: boolean
  readonly label?: string
  /** What an error means here; "This was not saved" unless told. */
  readonly failureTitle?: string
}

/** The gateway's error of the last attempt; fields read it for their own part. */
const LastError = createContext<ApiError | undefined>(undefined)

export function Form<Values extends FieldValues, Output>(props: FormProps<Values, Output>) {
  const form = useForm<Values, unknown, Output>({
    resolver: standardSchemaResolver(props.schema) as Resolver<Values, unknown, Output>,
    defaultValues: props.defaults,
    mode: 'onTouched',
  })
  const { followsDefaults = false, defaults } = props
  const inForce = JSON.stringify(defaults)
  const shown = useRef(inForce)
  useEffect(() => {
    if (!followsDefaults || shown.current === inForce) return
    shown.current = inForce
    form.reset(defaults)
  }, [followsDefaults, inForce, defaults, form])
  const failure = form.formState.errors.root?.['server'] as { error?: ApiError } | undefined
  const summary = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (failure !== undefined) summary.current?.focus()
  }, [failure])
  const isShown = useIsShown()
  const submit = form.handleSubmit(async (values) => {
    try {
      await props.onSubmit(values)
      if (props.isResetAfter === true) form.reset()
    } catch (thrown) {
      const error = toApiError(thrown)
      // Whoever has closed the form meanwhile would take the silence for success.
      if (!isShown.current) {
        showError(error)
        return
      }
      const known = new Set(Object.keys(form.getValues()))
      const placed = error.details.filter(({ path }) => known.has(findField(path)))
      for (const [index, { path, message }] of placed.entries())
        form.setError(findField(path) as never, { type: 'server', message }, { shouldFocus: index === 0 })
      if (placed.length === 0 || placed.length < error.details.length)
        form.setError('root.server' as never, { type: 'server', error } as never)
    }
  })
  return (
    <FormProvider {...(form as unknown as ReturnType<typeof useForm>)}>
      <LastError.Provider value={failure?.error}>
        <form
          noValidate
          aria-label={props.label}
          className="flex max-w-xl flex-col gap-4"
          onMouseDown={stayInField}
          onSubmit={(event) => {
            form.clearErrors('root.server' as never)
            void submit(event)
          }}
        >
          {props.children}
          <div ref={summary} tabIndex={-1} className="empty:hidden focus:outline-none">
            <FormFailure title={props.failureTitle ?? 'This was not saved'} />
          </div>
          <div className="flex flex-wrap items-center gap-2">
            <Button type="submit" tone={props.submitTone ?? 'primary'} isBusy={form.formState.isSubmitting}>
              {props.submit}
            </Button>
            {props.onCancel !== undefined && <Button onClick={props.onCancel}>Cancel</Button>}
            {props.actions}
          </div>
        </form>
      </LastError.Provider>
    </FormProvider>
  )
}

/**
 * Leaving a field checks it, and what is then said about it moves the buttons below away from under the pointer before it is
 * released: the press would do nothing. The field is left by what the button does.
 */
function stayInField(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('button') !== null) event.preventDefault()
}

/** The gateway names fields by their path in the body: `rules.0.at_percent`. A field of the form is its first part. */
function findField(path: string): string {
  return path.replace(/^body\./, '').split('.')[0] ?? ''
}

function FormFailure({ title }: { readonly title: string }) {
  const error = useContext(LastError)
  return error === undefined ? null : <Failure error={error} title={title} />
}

/** For fields: the error of one name, wherever it came from. */
export function useFieldState(name: string): { readonly error: string | undefined } {
  const { formState } = useFormContext()
  const found = formState.errors[name]
  return { error: typeof found?.message === 'string' ? found.message : undefined }
}

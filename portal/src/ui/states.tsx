/** What a page shows before, instead of and without its data. Nothing is ever just blank. */
import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, Info, type LucideIcon, RefreshCw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { toApiError } from '../api/api-error.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy.tsx'

export type Tone = 'neutral' | 'ok' | 'warn' | 'bad' | 'info'

const badgeTones: Readonly<Record<Tone, string>> = {
  neutral: 'bg-sunken text-text-2',
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
}

const toneIcons: Readonly<Record<Exclude<Tone, 'neutral'>, LucideIcon>> = {
  ok: CircleCheck,
  warn: TriangleAlert,
  bad: CircleAlert,
  info: Info,
}

/** State as icon and word: colour is never the only sign. */
export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  const Icon = tone === 'neutral' ? undefined : toneIcons[tone]
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-1 rounded-6 px-1.5 py-0.5 text-12 font-medium whitespace-nowrap',
        badgeTones[tone],
      )}
    >
      {Icon !== undefined && <Icon className="size-3" aria-hidden />}
      {children}
    </span>
  )
}

/** A sentence that matters, in place. Errors interrupt assistive technology, the rest does not. */
export function Callout({
  tone,
  title,
  children,
  action,
}: {
  readonly tone: Exclude<Tone, 'neutral'>
  readonly title?: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}) {
  const Icon = toneIcons[tone]
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={clsx('flex flex-wrap items-start gap-x-3 gap-y-2 rounded-8 px-3 py-2.5', badgeTones[tone])}
    >
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      {/* With a width it would rather have, so that the action goes below it where both do not fit. */}
      <div className="min-w-0 grow basis-48 [overflow-wrap:anywhere]">
        {title !== undefined && <p className="font-medium">{title}</p>}
        {children}
      </div>
      {action}
    </div>
  )
}

export function Loading({ rows = 4, label = 'Loading' }: { readonly rows?: number; readonly label?: string }) {
  return (
    <div role="status" aria-label={label} className="flex flex-col gap-2.5 py-1">
      {Array.from({ length: rows }, (_, row) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move.
          key={row}
          className="skeleton h-5"
          style={{ width: `${[92, 78, 86, 64][row % 4]}%` }}
        />
      ))}
    </div>
  )
}

/** Where one word or number will stand. */
export function Wait({ width }: { readonly width: string }) {
  return <span className={`skeleton inline-block ${width}`}>&nbsp;</span>
}

export function Empty({
  icon: Icon = Info,
  title,
  children,
  action,
}: {
  readonly icon?: LucideIcon
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center gap-1 px-4 py-10 text-center">
      <span className="mb-2 flex size-10 items-center justify-center rounded-full bg-sunken text-text-3">
        <Icon className="size-5" aria-hidden />
      </span>
      <p className="font-medium">{title}</p>
      {children !== undefined && <div className="max-w-md text-text-3">{children}</div>}
      {action !== undefined && <div className="mt-3">{action}</div>}
    </div>
  )
}

/** The gateway's own words, a way to try again, and the id that an administrator can look up. */
export function Failure({
  error,
  retry,
  title = 'This could not be loaded',
}: {
  readonly error: unknown
  readonly retry?: (() => void) | undefined
  readonly title?: string
}) {
  const { message, requestId } = toApiError(error)
  return (
    <Callout
      tone="bad"
      title={title}
      action={
        retry === undefined ? undefined : (
          <Button icon={RefreshCw} onClick={retry}>
            Try again
          </Button>
        )
      }
    >
      <p>{message}</p>
      {requestId !== undefined && (
        <p className="mt-1 flex flex-wrap items-center gap-1 text-12">
          Request <code className="font-mono">{requestId}</code>
          <CopyButton text={requestId} label="Copy the request id" />
        </p>
      )}
    </Callout>
  )
}

export interface Refreshed {
  readonly error: unknown
  readonly refetch: () => unknown
}

interface QueryLike<T> extends Refreshed {
  readonly data: T | undefined
  /** It is of what was asked before, as of another filter. */
  readonly isPlaceholderData?: boolean
}

/** For what stays on the screen when a refresh of it fails. */
export function OutOfDate({ query: { error, refetch } }: { readonly query: Refreshed }) {
  if (error === null || error === undefined) return null
  return <Failure error={error} title="This may be out of date" retry={() => void refetch()} />
}

/** Loading, error and data of one read. Data that is already there stays on the screen when a refresh fails. */
export function QueryView<T>({
  query,
  rows,
  children,
}: {
  readonly query: QueryLike<T>
  readonly rows?: number
  readonly children: (data: T) => ReactNode
}) {
  const isOld = query.isPlaceholderData === true
  if (query.data !== undefined)
    return (
      <>
        <OutOfDate query={query} />
        <div className={clsx('contents', isOld && 'of-before')} aria-busy={isOld || undefined}>
          {children(query.data)}
        </div>
      </>
    )
  if (query.error !== null && query.error !== undefined)
    return <Failure error={query.error} retry={() => void query.refetch()} />
  return <Loading {...(rows === undefined ? {} : { rows })} />
}

/** Buttons and links that look like them. A busy button says so and cannot be pressed twice. */
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

export type ButtonTone = 'plain' | 'primary' | 'danger' | 'quiet'

const tones: Readonly<Record<ButtonTone, string>> = {
  plain: 'border border-control bg-surface text-text-1 hover:bg-sunken',
  primary: 'border border-accent bg-accent text-on-accent hover:bg-accent-hover hover:border-accent-hover',
  danger: 'border border-bad bg-surface text-bad hover:bg-bad-soft',
  quiet: 'border border-transparent text-text-2 hover:bg-sunken hover:text-text-1',
}

function look(tone: ButtonTone, isWide: boolean): string {
  return clsx(
    'inline-flex min-h-8 items-center justify-center gap-1.5 rounded-6 px-3 py-1 font-medium whitespace-nowrap transition-colors duration-100',
    'aria-disabled:cursor-default aria-disabled:opacity-60 disabled:opacity-60',
    isWide && 'w-full',
    tones[tone],
  )
}

interface Shared {
  readonly tone?: ButtonTone
  readonly icon?: LucideIcon
  readonly isWide?: boolean
  readonly children?: ReactNode
}

type ButtonProps = Shared & { readonly isBusy?: boolean } & Omit<ComponentProps<'button'>, 'children'>

export function Button({ tone = 'plain', icon: Icon, isWide = false, isBusy = false, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={clsx(look(tone, isWide), rest.className)}
      aria-disabled={isBusy || rest['aria-disabled'] === true || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : rest.onClick}
    >
      {isBusy ? (
        <LoaderCircle className="size-4 animate-spin" aria-hidden />
      ) : (
        Icon !== undefined && <Icon className="size-4" aria-hidden />
      )}
      {children}
    </button>
  )
}

/** A page of the portal. */
export function ButtonLink({
  tone = 'plain',
  icon: Icon,
  isWide = false,
  to,
  search,
  children,
}: Shared & { readonly to: string; readonly search?: Readonly<Record<string, string>> }) {
  return (
    <Link to={to} {...(search === undefined ? {} : { search: search as never })} className={look(tone, isWide)}>
      {Icon !== undefined && <Icon className="size-4" aria-hidden />}
      {children}
    </Link>
  )
}

/** An address outside of the portal's pages, such as a file or an identity provider. */
export function ButtonAnchor({
  tone = 'plain',
  icon: Icon,
  isWide = false,
  children,
  ...rest
}: Shared & Omit<ComponentProps<'a'>, 'children'>) {
  return (
    <a {...rest} className={look(tone, isWide)}>
      {Icon !== undefined && <Icon className="size-4" aria-hidden />}
      {children}
    </a>
  )
}

/** Only an icon: the label is for assistive technology and the tooltip of the browser. */
export function IconButton({
  icon: Icon,
  label,
  ...rest
}: { readonly icon: LucideIcon; readonly label: string } & Omit<ComponentProps<'button'>, 'children'>) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={clsx(
        'inline-flex size-8 items-center justify-center rounded-6 text-text-2 transition-colors duration-100 hover:bg-sunken hover:text-text-1 disabled:opacity-50',
        rest.className,
      )}
    >
      <Icon className="size-4" aria-hidden />
    </button>
  )
}

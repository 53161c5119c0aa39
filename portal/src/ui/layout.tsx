/** The bones of a page: its heading, its cards, its facts. Every page has exactly one `Page`. */
import { clsx } from 'clsx'
import { type ReactNode, useEffect, useId } from 'react'

interface PageProps {
  readonly title: string
  /** One sentence under the title. */
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** For pages that are read, not scanned. */
  readonly isNarrow?: boolean
}

export function Page({ title, lead, actions, children, isNarrow = false }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Causeway`
  }, [title])
  return (
    <div className={clsx('w-full px-4 py-6 sm:px-6 lg:px-8', isNarrow ? 'max-w-4xl' : 'max-w-[1440px]')}>
      <header className="mb-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-20 font-semibold tracking-tight [overflow-wrap:anywhere]">{title}</h1>
          {lead !== undefined && <p className="mt-1 max-w-3xl text-text-2">{lead}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      <div className="flex flex-col gap-4">{children}</div>
    </div>
  )
}

interface CardProps {
  readonly title?: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
  /** For tables, which bring their own edges. */
  readonly isFlush?: boolean
  readonly className?: string
}

export function Card({ title, lead, actions, children, isFlush = false, className }: CardProps) {
  const id = useId()
  const hasHead = title !== undefined || actions !== undefined
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className={clsx('min-w-0 rounded-12 border border-line bg-surface', className)}
    >
      {hasHead && (
        <header
          className={clsx('flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 pt-3.5', isFlush && 'pb-3')}
        >
          <div className="min-w-0">
            {title !== undefined && (
              <h2 id={id} className="font-semibold">
                {title}
              </h2>
            )}
            {lead !== undefined && <p className="mt-0.5 text-13 text-text-3">{lead}</p>}
          </div>
          {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
      )}
      <div className={isFlush ? undefined : clsx('px-4 pb-4', hasHead ? 'pt-3' : 'pt-4')}>{children}</div>
    </section>
  )
}

/** Cards side by side where there is room. */
export function Columns({ children, min = 320 }: { readonly children: ReactNode; readonly min?: number }) {
  return (
    <div
      className="grid items-start gap-4"
      style={{ gridTemplateColumns: `repeat(auto-fit, minmax(min(100%, ${min}px), 1fr))` }}
    >
      {children}
    </div>
  )
}

export interface Fact {
  readonly name: string
  readonly value: ReactNode
}

/** Names and values, one pair for each row. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2 sm:grid-cols-[minmax(96px,auto)_1fr] sm:gap-x-6">
      {facts.map(({ name, value }) => (
        <div key={name} className="contents">
          <dt className="text-text-3">{name}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A number with its name; `detail` says against what. */
export function Figure({
  name,
  value,
  detail,
  children,
}: {
  readonly name: ReactNode
  readonly value: ReactNode
  readonly detail?: ReactNode
  readonly children?: ReactNode
}) {
  return (
    <div className="min-w-0 rounded-12 border border-line bg-surface px-4 py-3">
      <p className="text-12 text-text-3">{name}</p>
      <p className="tabular mt-0.5 text-20 font-semibold tracking-tight">{value}</p>
      {detail !== undefined && <p className="mt-0.5 text-12 text-text-3">{detail}</p>}
      {children}
    </div>
  )
}

/** `min`: the least width of a figure in pixels. */
export function FigureRow({ children, min = 168 }: { readonly children: ReactNode; readonly min?: number }) {
  return (
    <div className="grid gap-3" style={{ gridTemplateColumns: `repeat(auto-fit, minmax(min(100%, ${min}px), 1fr))` }}>
      {children}
    </div>
  )
}

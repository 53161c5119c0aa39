/** The way to a page of the portal, for whoever may open it; for others the words alone. */
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { useRights } from '../app/rights.ts'

interface PageLinkProps {
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
  readonly title?: string
  /** As the text around it until it is pointed at: for a figure that leads somewhere. */
  readonly isQuiet?: boolean
  readonly className?: string
  readonly children: ReactNode
}

export function PageLink({ to, search = {}, title, isQuiet = false, className, children }: PageLinkProps) {
  const { mayOpen } = useRights()
  if (!mayOpen(to))
    return (
      <span title={title} className={className}>
        {children}
      </span>
    )
  return (
    <Link
      to={to as never}
      search={search as never}
      title={title}
      className={clsx(className, !isQuiet && 'text-accent', 'hover:underline')}
    >
      {children}
    </Link>
  )
}

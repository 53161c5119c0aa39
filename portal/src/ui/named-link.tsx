/** The name of something that has a page of its own, as the way there. */
import { Link } from '@tanstack/react-router'
import { Nothing } from './values.tsx'

interface NamedLinkProps {
  /** Of the pages of its kind. */
  readonly path: string
  readonly id: string | null
  readonly name: string | null
}

export function NamedLink({ path, id, name }: NamedLinkProps) {
  if (name === null) return <Nothing />
  return (
    <Link to={`${path}/${id}` as never} className="text-accent hover:underline">
      {name}
    </Link>
  )
}

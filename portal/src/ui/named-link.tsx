/** The name of something that has a page of its own, as the way there. */
import { PageLink } from './page-link.tsx'
import { Nothing } from './values.tsx'

interface NamedLinkProps {
  /** Of the pages of its kind. */
  readonly path: string
  readonly id: string | null
  readonly name: string | null
}

export function NamedLink({ path, id, name }: NamedLinkProps) {
  if (name === null) return <Nothing />
  return <PageLink to={`${path}/${id}`}>{name}</PageLink>
}

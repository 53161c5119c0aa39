/** The way to the page of a key, for whoever may open it. */
import { PageLink } from '../../ui/page-link.tsx'
import { Name } from '../../ui/values.tsx'

export function KeyLink({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <PageLink to={`/keys/${id}`}>
      <Name text={name} />
    </PageLink>
  )
}

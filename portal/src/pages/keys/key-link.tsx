/** The way to the page of a key, for administrators. */
import { Link } from '@tanstack/react-router'
import { Name } from '../../ui/values.tsx'

export function KeyLink({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <Link to={`/keys/${id}` as never} className="text-accent hover:underline">
      <Name text={name} />
    </Link>
  )
}

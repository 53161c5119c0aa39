/** The way to the page of a key, for administrators. */
import { Link } from '@tanstack/react-router'

export function KeyLink({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <Link to={`/keys/${id}` as never} className="text-accent hover:underline">
      {name}
    </Link>
  )
}

/** One's keys that were used last. */
import { Link } from '@tanstack/react-router'
import type { Answer } from '../../api/client.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/layout.tsx'
import { QueryView } from '../../ui/states.tsx'
import { Money, Time } from '../../ui/values.tsx'

type Keys = Answer<'/me/keys', 'get'>

const MOST_SHOWN = 5

interface KeysQuery {
  readonly data: Keys | undefined
  readonly error: unknown
  readonly refetch: () => unknown
}

export function KeysCard({ query }: { readonly query: KeysQuery }) {
  return (
    <Card title="Your keys" actions={<ButtonLink to="/keys">All keys</ButtonLink>}>
      <QueryView query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-text-2">None. You need one only for programs that run without you.</p>
          ) : (
            <ul className="-my-1">
              {data.slice(0, MOST_SHOWN).map((key) => (
                <li key={key.id} className="flex items-baseline gap-3 border-b border-line py-2 last:border-0">
                  <Link
                    to="/keys"
                    search={{ q: key.prefix } as never}
                    className="min-w-0 flex-1 truncate hover:underline"
                  >
                    {key.name}
                  </Link>
                  <span className="text-13 text-text-3">
                    {key.last_used_at === null ? 'never used' : <Time at={key.last_used_at} />}
                  </span>
                  <span className="w-20 text-right">
                    <Money usd={key.spend_usd} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Card>
  )
}

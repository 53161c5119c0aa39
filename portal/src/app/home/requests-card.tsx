/** The last calls of one's tools, each with how it went. */
import { Link } from '@tanstack/react-router'
import type { Answer } from '../../api/client.ts'
import { modelShown } from '../../modules/analytics/requests/exact-name.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { formatDurationMs } from '../../ui/format.ts'
import { Card } from '../../ui/layout.tsx'
import { Badge, QueryView } from '../../ui/states.tsx'
import { Money, Nothing, Time } from '../../ui/values.tsx'

interface RequestsQuery {
  readonly data: Answer<'/me/requests', 'get'> | undefined
  readonly error: unknown
  readonly refetch: () => unknown
}

export function RequestsCard({ query }: { readonly query: RequestsQuery }) {
  return (
    <Card title="Last requests" isFlush actions={<ButtonLink to="/me/requests">All my requests</ButtonLink>}>
      <QueryView query={query}>
        {({ data }) => (
          <section
            aria-label="My last requests"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
            tabIndex={0}
            className="relative overflow-x-auto"
          >
            <table className="w-full border-collapse text-left">
              <caption className="sr-only">My last requests</caption>
              <thead>
                <tr className="border-y border-line text-12 text-text-3">
                  <th scope="col" className="h-8 px-4 font-medium">
                    Time
                  </th>
                  <th scope="col" className="h-8 px-3 font-medium">
                    Model
                  </th>
                  <th scope="col" className="h-8 px-3 font-medium">
                    Status
                  </th>
                  <th scope="col" className="h-8 px-3 text-right font-medium">
                    First token
                  </th>
                  <th scope="col" className="h-8 px-3 text-right font-medium">
                    Took
                  </th>
                  <th scope="col" className="h-8 px-4 text-right font-medium">
                    Cost
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.map((request) => (
                  <tr key={request.request_id} className="border-b border-line whitespace-nowrap last:border-0">
                    <td className="h-9 px-4">
                      <Link
                        to={'/me/requests' as never}
                        search={{ id: request.request_id } as never}
                        className="text-accent hover:underline"
                      >
                        <Time at={request.at} hasSeconds />
                      </Link>
                    </td>
                    <td className="px-3">{modelShown(request.model)}</td>
                    <td className="px-3">
                      {request.status < 400 ? (
                        <Badge tone="ok">Answered</Badge>
                      ) : (
                        <Badge tone={request.status === 429 ? 'warn' : 'bad'}>
                          {request.status} {request.error_type?.replaceAll('_', ' ')}
                        </Badge>
                      )}
                    </td>
                    <td className="px-3 text-right">
                      {request.first_token_ms === null ? <Nothing /> : formatDurationMs(request.first_token_ms)}
                    </td>
                    <td className="px-3 text-right">{formatDurationMs(request.duration_ms)}</td>
                    <td className="px-4 text-right">
                      <Money usd={request.cost_usd} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </QueryView>
    </Card>
  )
}

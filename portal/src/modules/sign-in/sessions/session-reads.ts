/** Reading sessions: one's own, or those of a person for administrators. */
import type { Answer } from '../../../api/client.ts'
import { useGet } from '../../../api/queries.ts'

export type Session = Answer<'/me/sessions', 'get'>['data'][number]

export interface Person {
  readonly id: string
  readonly subject: string
}

const SHOWN = 50
const REFRESH_MS = 30_000

export function useSessions(person: Person | undefined) {
  const query = { limit: SHOWN }
  const own = useGet(
    '/me/sessions',
    { params: { query } },
    { enabled: person === undefined, refetchInterval: REFRESH_MS },
  )
  const others = useGet(
    '/admin/users/{user_id}/sessions',
    { params: { path: { user_id: person?.id ?? '' }, query } },
    { enabled: person !== undefined, refetchInterval: REFRESH_MS },
  )
  return person === undefined ? own : others
}

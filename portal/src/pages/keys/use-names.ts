/** Names of people and teams for a table that has only their ids. What is not found is shown by its id. */
import { useMemo } from 'react'
import { useGet } from '../../api/queries.ts'

export type Names = ReadonlyMap<string, string>

export function useNames(isEnabled: boolean): Names {
  const init = { params: { query: { limit: 200 } } }
  const people = useGet('/admin/users', init, { enabled: isEnabled })
  const teams = useGet('/admin/teams', init, { enabled: isEnabled })
  return useMemo(
    () =>
      new Map([
        ...(people.data?.data ?? []).map(({ id, subject }) => [id, subject] as const),
        ...(teams.data?.data ?? []).map(({ id, name }) => [id, name] as const),
      ]),
    [people.data, teams.data],
  )
}

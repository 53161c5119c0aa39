/** Names of people and teams for a table that has only their ids: one question for just these. What is not found is shown by its id. */
import { useMemo } from 'react'
import { useGet } from '../api/queries.ts'

export type Names = ReadonlyMap<string, string>

type Ids = readonly (string | null)[]

/** The same ids in whatever order are the same question. */
function asked(ids: Ids): { readonly ids: string; readonly limit: number } | undefined {
  const distinct = [...new Set(ids.filter((id) => id !== null))].sort()
  return distinct.length === 0 ? undefined : { ids: distinct.join(','), limit: 200 }
}

export function useNames({ people = [], teams = [] }: { readonly people?: Ids; readonly teams?: Ids }): Names {
  const [who, which] = [asked(people), asked(teams)]
  const options = { keepPrevious: true }
  const foundPeople = useGet(
    '/admin/users',
    { params: { query: who ?? {} } },
    { ...options, enabled: who !== undefined },
  )
  const foundTeams = useGet(
    '/admin/teams',
    { params: { query: which ?? {} } },
    { ...options, enabled: which !== undefined },
  )
  return useMemo(
    () =>
      new Map([
        ...(foundPeople.data?.data ?? []).map(({ id, subject }) => [id, subject] as const),
        ...(foundTeams.data?.data ?? []).map(({ id, name }) => [id, name] as const),
      ]),
    [foundPeople.data, foundTeams.data],
  )
}

/** People, teams, keys, endpoints, models and requests by what one types into the palette, of those that one may see. */
import { Boxes, FileSearch, KeyRound, Server, UserRound, Users } from 'lucide-react'
import { toApiError } from '../api/api-error.ts'
import { useGet } from '../api/queries.ts'
import type { Entry } from './palette-group.tsx'
import type { Rights } from './rights.ts'

const KEY_PREFIX_LENGTH = 16

interface Found {
  readonly entries: readonly Entry[]
  readonly isLooking: boolean
  /** Why something may be missing: before all answers are there, nobody can say that nothing matches. */
  readonly note?: string | undefined
}

/**
 * What one finds by typing, of what one may open. Of a pasted key only its public beginning leaves this page.
 * What an earlier answer has found stays while it has the letters that are there now: Enter means what is marked.
 */
export function useFound(
  text: string,
  typed: string,
  rights: Rights,
  go: (to: string, search?: Record<string, string>) => void,
): Found {
  const isKey = text.startsWith('sk-proxy-')
  const q = isKey ? text.slice(0, KEY_PREFIX_LENGTH) : text
  const isAsked = q.length >= 2 && !q.startsWith('req_')
  const [hasPeople, hasPlaces] = [rights.may('audit:read'), rights.may('ops:operate')]
  const init = { params: { query: { q, limit: 4 } } }
  const asked = (enabled: boolean) => ({ enabled: isAsked && enabled, keepPrevious: true })
  const people = useGet('/admin/users', init, asked(hasPeople && !isKey))
  const teams = useGet('/admin/teams', init, asked(rights.isAdmin && !isKey))
  const keys = useGet('/admin/keys', init, asked(hasPeople))
  const endpoints = useGet('/admin/endpoints', init, asked(hasPlaces && !isKey))
  const models = useGet('/admin/model-mappings', init, asked(hasPlaces && !isKey))
  if (rights.mayOpen('/requests') && text.startsWith('req_'))
    return {
      entries: [
        {
          id: text,
          label: `Request ${text}`,
          icon: FileSearch,
          run: () => go(`/requests/${encodeURIComponent(text)}`),
        },
      ],
      isLooking: false,
    }
  if (!isAsked || !(hasPeople || hasPlaces)) return { entries: [], isLooking: text !== typed }
  const hasLetters = ({ label }: Entry): boolean => label.toLowerCase().includes(typed.toLowerCase())
  const listEntries = <T>(read: Read<T>, toEntry: (row: T) => Entry): readonly Entry[] => {
    const entries = (read.data?.data ?? []).map(toEntry)
    return read.isPlaceholderData || text !== typed ? entries.filter(hasLetters) : entries
  }
  const entries = [
    ...listEntries(people, (user) => ({
      id: user.id,
      label: user.subject,
      detail: 'Person',
      icon: UserRound,
      run: () => go(`/users/${user.id}`),
    })),
    ...listEntries(teams, (team) => ({
      id: team.id,
      label: team.name,
      detail: 'Team',
      icon: Users,
      run: () => go(`/teams/${team.id}`),
    })),
    ...listEntries(keys, (key) => ({
      id: key.id,
      label: key.name,
      detail: `Key ${key.prefix}…`,
      icon: KeyRound,
      run: () => go(`/keys/${key.id}`),
    })),
    ...listEntries(endpoints, (endpoint) => ({
      id: endpoint.id,
      label: endpoint.name,
      detail: `Endpoint in ${endpoint.region}`,
      icon: Server,
      run: () => go(`/endpoints/${endpoint.id}`),
    })),
    ...listEntries(models, (model) => ({
      id: `model ${model.vendor_prefix}`,
      label: model.vendor_prefix,
      detail: `Model ${model.display_name}`,
      icon: Boxes,
      run: () => go('/models', { q: model.vendor_prefix }),
    })),
  ]
  const reads = [people, teams, keys, endpoints, models]
  const isLooking =
    text !== typed || reads.some((read) => read.isFetching && (read.isPending || read.isPlaceholderData))
  return { entries, isLooking, note: writeNote(reads, isLooking) }
}

interface Read<T> {
  readonly data: { readonly data: readonly T[] } | undefined
  readonly isPlaceholderData: boolean
}

function writeNote(reads: readonly { readonly error: unknown }[], isLooking: boolean): string | undefined {
  const error = reads.find((read) => read.error !== null)?.error
  if (error !== undefined)
    return `People, teams, keys, endpoints and models could not all be searched. ${toApiError(error).message}`
  return isLooking ? 'Looking for people, teams, keys, endpoints and models …' : undefined
}

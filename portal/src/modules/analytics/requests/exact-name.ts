/** A filter of the log is a part of a name, or a whole name behind a sign: a number opens the calls behind it and no others. */
import type { UrlState } from '../../../ui/url-state.ts'

/** As the gateway takes it. */
const EXACTLY = '='

/** How the gateway names what belongs to no team, person or endpoint. */
export const NOBODY = '(none)'

/** How it sums up the models beyond the thousand dearest. No call has this name, so it leads to no calls. */
export const OTHERS = '(other)'

/** How it names the model of a call whose body could not be read. */
export const NO_MODEL = ''

export function modelShown(model: string): string {
  if (model === NO_MODEL) return 'No model'
  return model === OTHERS ? 'All other models' : model
}

const named: readonly string[] = ['team', 'user', 'model', 'endpoint', 'key', 'tool']

/** The search of the log for names as they stand in an answer: each means itself alone. */
export function exactly(search: UrlState): Record<string, string> {
  return Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, named.includes(name) ? `${EXACTLY}${value}` : value]],
    ),
  )
}

/** The address of just these calls in the log. */
export function requestsHref(search: UrlState): string {
  return `#/requests?${new URLSearchParams(exactly(search)).toString()}`
}

/** The name in a filter, without the sign. */
export function nameWanted(filter: string): string {
  return filter.startsWith(EXACTLY) ? filter.slice(EXACTLY.length) : filter
}

/** Whether a name with its id, or the lack of one, is what a filter wants. */
export function isWanted(name: string | null, filter: string | undefined, id: string | null = null): boolean {
  if (filter === undefined) return true
  if (name === null) return nameWanted(filter) === NOBODY
  if (filter.startsWith(EXACTLY)) return [name, id].includes(nameWanted(filter))
  return name.toLowerCase().includes(filter.toLowerCase())
}

/** A check is a rule and what it finds: both are words for people, with the exact names of what changes it. */
import type { Settings } from '../../foundation/domain/settings.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import type { SecurityFacts } from './security-ports.ts'
import type { StoredFacts } from './stored-facts.service.ts'

export const checkStates = ['bad', 'attention', 'unknown', 'good'] as const
export type CheckState = (typeof checkStates)[number]

export interface Posture {
  readonly facts: SecurityFacts
  readonly snapshot: Snapshot
  readonly settings: Settings
  /** Undefined while the database cannot be asked. */
  readonly stored: StoredFacts | undefined
  /** The origin that everybody uses, as far as somebody has said so. */
  readonly knownUrl: string | undefined
  readonly nowMs: number
}

export interface Verdict {
  readonly state: CheckState
  /** What is the case here. */
  readonly found: string
  /** What to do next; null when nothing has to be done. */
  readonly fix: string | null
}

export interface Rule {
  readonly id: string
  readonly title: string
  readonly why: string
  /** Variables and settings, by their exact names, that decide it. */
  readonly settings: readonly string[]
  readonly judge: (posture: Posture) => Verdict
}

export const good = (found: string): Verdict => ({ state: 'good', found, fix: null })
export const attention = (found: string, fix: string): Verdict => ({ state: 'attention', found, fix })
export const bad = (found: string, fix: string): Verdict => ({ state: 'bad', found, fix })
export const unknown = (found: string, fix: string): Verdict => ({ state: 'unknown', found, fix })

/** Of checks that count rows. */
export const notCounted = (what: string): Verdict =>
  unknown(`The database cannot be asked, so ${what} were not counted.`, 'Look again once the database answers.')

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

export function quoted(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => `"${name}"`)
  return `${shown.join(', ')}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ''}`
}

export function isPasswordOffered({ facts, settings }: Pick<Posture, 'facts' | 'settings'>): boolean {
  return facts.password.isForcedOn || settings.admin_login_enabled
}

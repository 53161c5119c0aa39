/** What is kept about people: where, for how long by the settings in force, and what changes it. */
import { CHARTED_DAYS } from '../../foundation/domain/usage-range.ts'
import { MAX_ADDRESSES } from '../../modules/keys/key-addresses.store.ts'
import { KEPT_DELIVERIES } from '../../modules/notifications/deliveries.store.ts'
import { EVENT_KEPT_DAYS, RATE_LIMIT_KEPT_DAYS } from '../../modules/notifications/outbox.store.ts'
import { counted, type Posture } from './check.ts'

export interface Kept {
  readonly what: string
  /** What of it exactly. */
  readonly holds: string
  readonly where: string
  readonly howLong: string
  /** The setting, the variable or the deed by which it changes; null when nothing changes it. */
  readonly switch: string | null
}

const POSTGRES = 'Postgres'
const UNTIL_DELETED = 'until they are deleted'

export function keptAboutPeople(posture: Posture): readonly Kept[] {
  const { settings, facts } = posture
  const spendDays = counted(settings.spend_retention_days, 'day')
  const isLogged = facts.logLevel === 'debug' || facts.logLevel === 'trace'
  const stored = facts.database.kind === 'none' ? [] : storedRows(posture, spendDays)
  return [
    {
      what: 'Prompts and answers',
      holds: isLogged
        ? `The log level is ${facts.logLevel}: bodies of requests and answers are written to the log.`
        : 'Nothing of them is stored or logged.',
      where: isLogged ? 'The log' : 'Nowhere',
      howLong: isLogged ? 'as long as you keep the log' : 'not kept',
      switch: 'RUST_LOG',
    },
    {
      what: 'Log lines',
      holds:
        'Of each request its route, status, duration, and the id of the person or key, and for a failure its reason; never its text. Of a refused password sign-in also the address.',
      where: 'Standard output, and the newest lines in the memory of each instance',
      howLong: 'as long as you keep the log',
      switch: 'RUST_LOG',
    },
    ...stored,
  ]
}

function storedRows({ settings, facts }: Posture, spendDays: string): readonly Kept[] {
  const hours = counted(settings.session_token_ttl_hours, 'hour')
  return [
    {
      what: 'People',
      holds:
        'Name, e-mail address, role, grants, team, identity at the provider, what the provider sends by SCIM, when they were last seen.',
      where: POSTGRES,
      howLong:
        'until the person is deleted; the name stays behind for charts, and in the audit trail as long as that is kept',
      switch: 'Delete the person',
    },
    {
      what: 'Virtual keys',
      holds: 'SHA-256, the first characters, name, owner and limits; the key itself is shown once.',
      where: POSTGRES,
      howLong: `${UNTIL_DELETED}, also when they are revoked; the SHA-256 for two days more`,
      switch: 'Delete the key, or the person',
    },
    {
      what: 'Addresses of keys',
      holds: `From where each key was used: the last ${MAX_ADDRESSES} addresses with the first and the last time.`,
      where: POSTGRES,
      howLong: spendDays,
      switch: 'spend_retention_days',
    },
    {
      what: 'Sign-ins',
      holds:
        'Person, program in a few words, address, times. Session tokens are signed and not stored, refresh tokens as SHA-256.',
      where: POSTGRES,
      howLong: `until the session would have ended: ${hours}, of the client’s own sign-in 30 days after it was last renewed`,
      switch: 'session_token_ttl_hours',
    },
    {
      what: 'Sign-ins under way',
      holds: 'Program and address that asked for a code in a terminal.',
      where: POSTGRES,
      howLong: 'an hour after the code has ended',
      switch: null,
    },
    {
      what: 'Ended sessions',
      holds: 'The ids of sessions that were ended before their time.',
      where: POSTGRES,
      howLong: 'until they would have ended, at most a year',
      switch: 'session_token_ttl_hours',
    },
    {
      what: 'Spend records',
      holds:
        'Of each call: who, when, which model, tokens, cost, durations, status, names of tools, ids of the session and the agent; no text.',
      where: POSTGRES,
      howLong: spendDays,
      switch: 'spend_retention_days',
    },
    {
      what: 'Failure messages',
      holds: settings.store_failure_messages
        ? 'The error message of each failed request, up to 500 characters, and the limit it reached. Quotes over 40 characters are left out.'
        : 'Nothing. Only the kind and the code of each failure are kept.',
      where: POSTGRES,
      howLong: spendDays,
      switch: 'store_failure_messages',
    },
    {
      what: 'Spend records on their way',
      holds: 'The same, until the database has them.',
      where: `The journal directory (${facts.journalDirectory})`,
      howLong: 'until they are stored, usually less than a second',
      switch: 'SPEND_JOURNAL_DIR',
    },
    {
      what: 'Sums for charts',
      holds: 'Calls, tokens, cost and tools of each person and key, by hour and day.',
      where: POSTGRES,
      howLong: counted(Math.max(settings.spend_retention_days, CHARTED_DAYS), 'day'),
      switch: 'spend_retention_days',
    },
    {
      what: 'Audit trail',
      holds:
        'Who changed what, before and after, when and from which address, and who signed in; no secrets. Of a failed password sign-in the name as typed.',
      where: POSTGRES,
      howLong: counted(settings.audit_retention_days, 'day'),
      switch: 'audit_retention_days',
    },
    {
      what: 'Budgets and requests',
      holds:
        'Limit and top-ups of a person with their reasons; who asked for how much and why, who decided, and their note.',
      where: POSTGRES,
      howLong: 'until the person is deleted',
      switch: 'Delete the person',
    },
    {
      what: 'Notifications',
      holds: `Events that name people, teams and keys with what they spent, and the last ${KEPT_DELIVERIES} deliveries.`,
      where: `${POSTGRES}, and wherever they are sent`,
      howLong: `${counted(EVENT_KEPT_DAYS, 'day')}; those about rate limits ${counted(RATE_LIMIT_KEPT_DAYS, 'day')}`,
      switch: 'The categories of the notification destination',
    },
    {
      what: 'Own choices',
      holds: 'Saved views, and the search service of a person with its sealed key.',
      where: POSTGRES,
      howLong: 'until the person removes them or is deleted',
      switch: 'Delete the person',
    },
    {
      what: 'Secrets of others',
      holds: 'Search keys, client secrets and the secret of the webhook, sealed (AES-256-GCM) and never shown again.',
      where: facts.hasSecretKey ? `${POSTGRES}; their key is SECRET_KEY` : `${POSTGRES}, their key too`,
      howLong: UNTIL_DELETED,
      switch: 'SECRET_KEY',
    },
  ]
}

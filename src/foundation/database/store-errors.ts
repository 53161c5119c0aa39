/** The three ways a statement can fail that callers act on; every other error is a mistake in the program. */

/** A unique rule was broken. `constraint` names the index, for the caller to say what is taken. */
export class ConflictError extends Error {
  readonly constraint: string

  constructor(constraint: string, cause?: unknown) {
    super(`unique rule ${constraint} was broken`, { cause })
    this.name = 'ConflictError'
    this.constraint = constraint
  }
}

/** A row that the statement refers to does not exist (any more). */
export class MissingReferenceError extends Error {
  readonly constraint: string

  constructor(constraint: string, cause?: unknown) {
    super(`reference ${constraint} points to nothing`, { cause })
    this.name = 'MissingReferenceError'
    this.constraint = constraint
  }
}

/** The database cannot be reached, is too slow, or refuses work for now: the same statement may succeed later. */
export class DatabaseUnavailableError extends Error {
  /** SQLSTATE or system error code; empty when the driver gives none. */
  readonly code: string

  constructor(message: string, code: string, cause?: unknown) {
    super(`the database is unavailable: ${message}`, { cause })
    this.name = 'DatabaseUnavailableError'
    this.code = code
  }
}

/** Settings or server that cannot work until somebody changes them; never worth a retry. */
export class DatabaseSetupError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'DatabaseSetupError'
  }
}

/** The schema was written by a newer release of this program. */
export class SchemaTooNewError extends DatabaseSetupError {
  readonly unknownMigrations: readonly string[]

  constructor(unknownMigrations: readonly string[]) {
    super(
      `The database was migrated by a newer release (unknown: ${unknownMigrations.join(', ')}). Start that release, or restore a backup from before it.`,
    )
    this.name = 'SchemaTooNewError'
    this.unknownMigrations = unknownMigrations
  }
}

/** The schema was written by a development version from before the first release. */
export class SchemaTooOldError extends DatabaseSetupError {
  constructor(database: string) {
    super(
      `The database "${database}" was created by a development version. The first release replaced all earlier migrations by a new one, so it cannot upgrade this database. Create an empty database and set DATABASE_URL or DATABASE_NAME to it. For an embedded database, use another folder.`,
    )
    this.name = 'SchemaTooOldError'
  }
}

/** A demoted primary during a failover. */
export const READ_ONLY = '25006'
export const NO_PRIVILEGE = '42501'
/** It starts up, shuts down or replays its log. */
const STARTING_UP = '57P03'
/** It takes no connections, as a restore arranges it. */
const CLOSED = '55000'

const unavailableStates = new Set([
  READ_ONLY,
  '57P01', // terminated by an administrator
  '57P02',
  STARTING_UP,
  CLOSED,
  '57P05', // idle session timeout
  '57014', // statement timeout
  '55P03', // lock timeout
  '58030', // input/output error
  '28000', // the password or token was rotated under us
  '28P01',
  '3D000', // the database is gone: a restore is running
])

const unavailableSystemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTDOWN',
  'ENOENT', // the unix socket of a stopped server
  'EACCES',
])

/** pg reports lost connections and its own timers by text only. */
const unavailableTexts =
  /connection terminated|not queryable|timeout exceeded when trying to connect|query read timeout|timeout expired|connection has been discarded|client was closed|pool after calling end|driver has already been destroyed|no answer within/i

/** Failures after which the connection itself must not be used again. */
export function breaksConnection(error: unknown): boolean {
  const code = readCode(error)
  // It still answers, as a replica does: whoever stays with it never reaches the server that took its place.
  if (code === READ_ONLY) return true
  if (code.startsWith('08') || code.startsWith('57P')) return true
  return unavailableSystemCodes.has(code) || unavailableTexts.test(readMessage(error))
}

/** Postgres runs, and refuses everything until something else has ended. */
export function isNotOpenYet({ code }: DatabaseUnavailableError): boolean {
  return code === STARTING_UP || code === CLOSED
}

/** Two transactions met: running the same one again is right. */
export function isSerializationFailure(error: unknown): boolean {
  const code = readCode(error instanceof DatabaseUnavailableError ? error.cause : error)
  return code === '40001' || code === '40P01'
}

/** Data exceptions, broken constraints, values over a size limit. Anything else is no fault of the row. */
export function isRefusedData(error: unknown): boolean {
  if (error instanceof ConflictError || error instanceof MissingReferenceError) return true
  return /^(22|23|54)/.test(readCode(error))
}

/** Turns what the driver throws into the types above; leaves everything else as it is. */
export function toStoreError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError || error instanceof DatabaseSetupError) return error
  const code = readCode(error)
  const constraint = (error as { constraint?: unknown } | null)?.constraint
  if (code === '23505') return new ConflictError(String(constraint ?? ''), error)
  if (code === '23503') return new MissingReferenceError(String(constraint ?? ''), error)
  if (isUnavailable(code, error)) return new DatabaseUnavailableError(readMessage(error), code, error)
  return error
}

function isUnavailable(code: string, error: unknown): boolean {
  // 53 is "insufficient resources": too many connections, disk full, out of memory.
  if (code.startsWith('08') || code.startsWith('53') || unavailableStates.has(code)) return true
  if (code === '40001' || code === '40P01') return true
  return unavailableSystemCodes.has(code) || unavailableTexts.test(readMessage(error))
}

/** Node joins the attempts at several addresses of one host into an AggregateError without a message. */
export function readMessage(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(readMessage).join('; ')
  return error instanceof Error ? error.message : String(error)
}

export function readCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code === 'string') return code
  return error instanceof AggregateError ? readCode(error.errors[0]) : ''
}

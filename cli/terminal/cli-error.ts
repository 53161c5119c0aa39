/** Ends a command: one sentence for a person, what to do next, and the exit code that scripts read. */

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  signInNeeded: 4,
  notAllowed: 5,
  conflict: 6,
  unreachable: 7,
  checkFailed: 8,
  interrupted: 130,
} as const

export type ExitName = keyof typeof exitCodes

export interface CliErrorParts {
  readonly exit: ExitName
  readonly next?: string | undefined
  readonly requestId?: string | undefined
  /** The stable name from the gateway's catalogue. */
  readonly code?: string | undefined
  readonly details?: readonly { readonly path: string; readonly message: string }[] | undefined
  readonly cause?: unknown
}

export class CliError extends Error {
  readonly parts: CliErrorParts

  constructor(message: string, parts: CliErrorParts) {
    super(message, parts.cause === undefined ? undefined : { cause: parts.cause })
    this.name = 'CliError'
    this.parts = parts
  }

  get exitCode(): number {
    return exitCodes[this.parts.exit]
  }
}

export function usageError(message: string, next?: string): CliError {
  return new CliError(message, { exit: 'usage', next })
}

/** What the file system refuses, in the words of other commands; every other mistake is one of ours and stays what it is. */
export function withoutTrace(error: unknown): unknown {
  const { code, path, syscall, message } = error as NodeJS.ErrnoException
  if (!(error instanceof Error) || code === undefined || syscall === undefined || path === undefined) return error
  const words = message.replace(/^[A-Z0-9]+: /, '').replace(/, \w+(?: '.*)?$/s, '')
  return new CliError(`${path}: ${words}`, { exit: 'failed', cause: error })
}

/** The lines for standard error. */
export function describeError(error: CliError): string {
  const { next, requestId, code, details = [] } = error.parts
  const rows = [
    ...details
      // The sentence of a field ends with a full stop, the one above without.
      .filter(({ message }) => !error.message.includes(message.replace(/\.$/, '')))
      .map(({ path, message }) => ['field', `${path}: ${message}`] as const),
    ['next', next],
    ['request', requestId === undefined ? undefined : `${requestId}${code === undefined ? '' : ` (${code})`}`],
  ] as const
  const lines = rows.flatMap(([label, text]) => (text === undefined ? [] : [`  ${label.padEnd(8)} ${text}`]))
  return [`causeway: ${error.message}`, ...lines].join('\n')
}

/** The same for programs, when a command was asked for JSON. */
export function errorDocument(error: CliError): string {
  const { next, requestId, code, details } = error.parts
  return JSON.stringify({
    error: {
      message: error.message,
      code: code ?? null,
      exit_code: error.exitCode,
      next: next ?? null,
      details: details ?? [],
    },
    request_id: requestId ?? null,
  })
}

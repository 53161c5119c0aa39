/** Talks to the admin API of a gateway; every refusal becomes one line that a person can act on. */

export interface AdminApi {
  /** The parsed answer; undefined when it has no body. */
  readonly call: (method: 'GET' | 'PUT' | 'DELETE', path: string, body?: object) => Promise<unknown>
}

export interface Environment {
  readonly CAUSEWAY_URL?: string | undefined
  readonly CAUSEWAY_TOKEN?: string | undefined
}

/** Shown as it is, without a stack. */
export class CliError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'CliError'
  }
}

const TIMEOUT_MS = 30_000

export function createAdminApi(environment: Environment): AdminApi {
  const base = environment.CAUSEWAY_URL ?? ''
  const token = environment.CAUSEWAY_TOKEN ?? ''
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol))
    throw new CliError('Set CAUSEWAY_URL to the address of the gateway, such as https://gateway.example.com')
  if (token === '') throw new CliError('Set CAUSEWAY_TOKEN to a session token of an administrator')

  return {
    call: async (method, path, body) => {
      const response = await fetch(new URL(path, base), {
        method,
        // A redirect would carry the token to wherever it points.
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch((error: unknown) => {
        throw new CliError(`The gateway at ${new URL(base).host} could not be reached`, error)
      })
      const text = await response.text()
      if (!response.ok) throw new CliError(refusalIn(text) ?? `The gateway answered with status ${response.status}`)
      return text === '' ? undefined : JSON.parse(text)
    },
  }
}

function refusalIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: { message?: string } }).error?.message
  } catch {
    // A proxy in front answered with its own page: the status says more than its words.
    return undefined
  }
}

/** Turns what the hosted service answered, or how it failed to, into one kind of failure. */
import type { ProviderFailure } from '../foundation/domain/provider-failure.ts'
import { cleanForeignText } from './foreign-text.ts'

/** A failure on a path that returns promises, such as listing profiles. */
export class ProviderError extends Error {
  readonly failure: ProviderFailure

  constructor(failure: ProviderFailure) {
    super(failure.message)
    this.name = 'ProviderError'
    this.failure = failure
  }
}

export function unreachable(message: string): ProviderFailure {
  return { kind: 'unreachable', status: 502, name: '', message, retryAfterSeconds: null }
}

export function silentBeforeAnswer(message: string): ProviderFailure {
  return { kind: 'unreachable', status: 504, name: '', message, retryAfterSeconds: null }
}

export function broken(message: string): ProviderFailure {
  return { kind: 'broken', status: 502, name: '', message, retryAfterSeconds: null }
}

export function cutInBody(message: string): ProviderFailure {
  return { ...broken(message), isConnectionLost: true }
}

export function silentInBody(message: string): ProviderFailure {
  return { kind: 'broken', status: 504, name: '', message, retryAfterSeconds: null, isConnectionLost: true }
}

export function credentialsRefused(name: string, message: string): ProviderFailure {
  return { kind: 'credentials', status: 502, name, message, retryAfterSeconds: null }
}

/** The failure in an answer that is not 2xx. The body may be JSON, HTML from a proxy, cut short or empty. */
export function failureOfAnswer(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): ProviderFailure {
  if (status < 400) return broken(`the hosted service answered with status ${status}`)
  const text = body.toString('utf8').trim()
  const fields = readErrorFields(text, headers)
  return {
    kind: 'answered',
    status,
    name: bareErrorName(headers['x-amzn-errortype'] ?? fields?.name ?? ''),
    message: fields?.message ?? foreignMessage(status),
    retryAfterSeconds: parseRetryAfterSeconds(headers['retry-after']),
    ...(fields === undefined ? { foreignText: cleanForeignText(text) } : {}),
  }
}

function foreignMessage(status: number): string {
  return `Something between the gateway and Amazon Bedrock, such as a proxy, answered with status ${status}. The gateway’s log has its text.`
}

/** `com.amazon.coral.validate#ValidationException:http://…` and its shorter forms name one exception. */
export function bareErrorName(text: string): string {
  const afterNamespace = text.slice(text.indexOf('#') + 1)
  const colon = afterNamespace.indexOf(':')
  const name = (colon < 0 ? afterNamespace : afterNamespace.slice(0, colon)).trim()
  // It is shown with the attempt: text of a proxy must not pass as a name.
  return /^\w{1,64}$/.test(name) ? name : ''
}

/** Only whole seconds: the hosted service sends no dates, and a wrong guess would hold clients back for hours. */
export function parseRetryAfterSeconds(value: string | undefined): number | null {
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : null
}

interface ErrorFields {
  readonly name: string
  readonly message: string
}

/** Undefined when the text is not the hosted service's own. */
function readErrorFields(text: string, headers: Readonly<Record<string, string>>): ErrorFields | undefined {
  if (text === '') return { name: '', message: '' }
  const parsed = parseObject(text)
  if (parsed === undefined || !isOwnForm(parsed, headers)) return undefined
  return {
    name: firstText(parsed, ['__type', 'code']),
    message: wordsIn(parsed),
  }
}

/** A proxy may answer with JSON too: AWS names itself in a header or in the body, and a model writes the Messages form. */
function isOwnForm(fields: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string>>): boolean {
  if ('x-amzn-errortype' in headers || 'x-amzn-requestid' in headers) return true
  if (typeof fields['__type'] === 'string') return true
  const { type, error } = fields
  return type === 'error' && typeof error === 'object' && error !== null && 'message' in error
}

/** A model's own error is in the Messages form, whose words are one level deeper: clients act on them. */
function wordsIn(fields: Readonly<Record<string, unknown>>): string {
  const words = firstText(fields, ['message', 'Message', 'errorMessage', 'error'])
  const { error } = fields
  return words === '' && typeof error === 'object' && error !== null ? firstText({ ...error }, ['message']) : words
}

export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

export function firstText(fields: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string') return value
  }
  return ''
}

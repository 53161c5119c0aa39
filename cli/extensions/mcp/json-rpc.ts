/** JSON-RPC over lines of text, as the Model Context Protocol speaks it on standard input and output. */
import type { Readable } from 'node:stream'
import { usageError } from '../../terminal/cli-error.ts'

export interface RpcFailure {
  readonly code: number
  readonly message: string
}

/** What a method throws when the fault is the caller's. */
export class RpcError extends Error implements RpcFailure {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'RpcError'
    this.code = code
  }
}

export const rpcCodes = {
  unreadable: -32_700,
  noRequest: -32_600,
  noMethod: -32_601,
  badParameters: -32_602,
  ours: -32_603,
}

export type Parameters = Readonly<Record<string, unknown>>
type RequestId = string | number

/** The signal ends when the caller takes the request back. */
export type AnswerRequest = (method: string, parameters: Parameters, signal: AbortSignal) => Promise<unknown>

/** A request of ours is far below; a line without an end must not fill the memory. */
const MOST_CHARACTERS = 1_000_000

/** Ends with the input, when the last answer is written. */
export async function serveLines(input: Readable, write: (line: string) => void, answer: AnswerRequest): Promise<void> {
  const running = new Map<RequestId, AbortController>()
  const open = new Set<Promise<void>>()

  const reply = (id: RequestId | null, outcome: { result: unknown } | { error: RpcFailure }): void =>
    write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`)

  const serve = async (id: RequestId, method: string, parameters: Parameters): Promise<void> => {
    const stop = new AbortController()
    running.set(id, stop)
    try {
      const result = await answer(method, parameters, stop.signal)
      // Whoever takes a request back does not wait for its answer.
      if (!stop.signal.aborted) reply(id, { result })
    } catch (error) {
      const known = error instanceof RpcError ? error : new RpcError(rpcCodes.ours, String(error))
      if (!stop.signal.aborted) reply(id, { error: { code: known.code, message: known.message } })
    } finally {
      if (running.get(id) === stop) running.delete(id)
    }
  }

  const take = (line: string): void => {
    const message = readMessage(line)
    if (message.kind === 'fault') reply(message.id, { error: message.failure })
    if (message.kind === 'taken back') running.get(message.id)?.abort()
    if (message.kind !== 'request') return
    const served = serve(message.id, message.method, message.parameters)
    open.add(served)
    void served.finally(() => open.delete(served))
  }

  let rest = ''
  for await (const piece of input.setEncoding('utf8')) {
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') take(line)
    if (rest.length > MOST_CHARACTERS)
      throw usageError(`a line of the input is longer than ${MOST_CHARACTERS} characters`)
  }
  await Promise.all(open)
}

type Message =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly parameters: Parameters }
  | { readonly kind: 'taken back'; readonly id: RequestId }
  | { readonly kind: 'fault'; readonly id: RequestId | null; readonly failure: RpcFailure }
  | { readonly kind: 'nothing' }

function readMessage(line: string): Message {
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    return fault('unreadable', 'This line is no JSON.')
  }
  const { id, method, params, result, error } = isObject(message) ? message : {}
  // An answer to something that was never asked.
  if (method === undefined && (result !== undefined || error !== undefined)) return { kind: 'nothing' }
  if (typeof method !== 'string') return fault('noRequest', 'This is no request of JSON-RPC 2.0.', isId(id) ? id : null)
  const parameters = isObject(params) ? params : {}
  if (id !== undefined)
    return isId(id)
      ? { kind: 'request', id, method, parameters }
      : fault('noRequest', 'The id of a request is a text or a number.')
  const { requestId } = parameters
  if (method === 'notifications/cancelled' && isId(requestId)) return { kind: 'taken back', id: requestId }
  return { kind: 'nothing' }
}

function fault(name: keyof typeof rpcCodes, message: string, id: RequestId | null = null): Message {
  return { kind: 'fault', id, failure: { code: rpcCodes[name], message } }
}

function isObject(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number'
}

/**
 * Requests whose headers are read by comparing them with those of the request before on the same connection. A client
 * sends the same two dozen with every call, and taking them apart anew is one of the dearest things Node does for it.
 */
import { type IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

interface KnownHeaders {
  readonly raw: readonly string[]
  /** As Node reads them. Never given away: who gets headers may write into them. */
  readonly read: IncomingHttpHeaders
  /** The names by their places; empty when a header is there twice or is read in a way of its own. */
  names: readonly string[] | undefined
}

/** More are no everyday request; Node leaves out what is beyond a limit of its own. */
const MAX_RAW_LENGTH = 200

const knownHeaders = new WeakMap<Socket, KnownHeaders>()
const byNode = Object.getOwnPropertyDescriptor(IncomingMessage.prototype, 'headers')?.get
if (byNode === undefined) throw new Error('this version of Node keeps the headers of requests elsewhere')

const ownHeaders = Symbol('headers')

/** For the option `IncomingMessage` of servers. */
export class KnownRequest extends IncomingMessage {
  [ownHeaders]: IncomingHttpHeaders | undefined
}

Object.defineProperty(KnownRequest.prototype, 'headers', {
  get(this: KnownRequest): IncomingHttpHeaders {
    return (this[ownHeaders] ??= headersOf(this))
  },
  set(this: KnownRequest, headers: IncomingHttpHeaders) {
    this[ownHeaders] = headers
  },
})

function headersOf(request: KnownRequest): IncomingHttpHeaders {
  const { socket, rawHeaders: raw } = request
  const known = knownHeaders.get(socket)
  const alike = known && findAlike(known, raw)
  if (alike !== undefined) return alike
  const read = byNode?.call(request) as IncomingHttpHeaders
  if (raw.length <= MAX_RAW_LENGTH) knownHeaders.set(socket, { raw, read: { ...read }, names: undefined })
  return read
}

/** Undefined unless the same headers came in the same order; their values may be others, such as a length. */
function findAlike(known: KnownHeaders, raw: readonly string[]): IncomingHttpHeaders | undefined {
  if (raw.length !== known.raw.length) return undefined
  let headers: IncomingHttpHeaders | undefined
  for (let at = 0; at < raw.length; at += 2) {
    if (raw[at] !== known.raw[at]) return undefined
    if (raw[at + 1] === known.raw[at + 1]) continue
    const name = (known.names ??= namesOf(known))[at / 2]
    if (name === undefined) return undefined
    headers ??= { ...known.read }
    headers[name] = raw[at + 1]
  }
  return headers ?? { ...known.read }
}

function namesOf({ raw, read }: KnownHeaders): readonly string[] {
  const names = Object.keys(read)
  const isPlain =
    names.length * 2 === raw.length &&
    names.every((name, place) => raw[place * 2]?.toLowerCase() === name && typeof read[name] === 'string')
  return isPlain ? names : []
}

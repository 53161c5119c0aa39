/** Refuses requests that two programs could read in two ways, before any route is looked up. */
import type { IncomingMessage } from 'node:http'
import { type Problem, problem } from '../domain/errors.ts'

const MAX_HEADERS = 200
const MAX_URL_LENGTH = 16_384
const closing = { headers: { connection: 'close' } }

const absoluteTarget = /^https?:\/\/([^/?#@]+)((?:[/?].*)?)$/is

/**
 * RFC 9112 3.2.2: a target may be a whole address, as proxies write it. Its host then counts instead of the Host header, so
 * it passes the same checks later. Everything else about the request is as if only the path had been sent.
 */
export function acceptAbsoluteTarget(request: IncomingMessage): void {
  const url = request.url ?? ''
  if (url.startsWith('/')) return
  const [, host, rest = ''] = absoluteTarget.exec(url) ?? []
  if (host === undefined || !URL.canParse(`http://${host}`)) return
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  request.headers.host = host
}

/** Node accepts repeated Host headers. A proxy in front may judge by the other one. */
export function requestLineProblem(request: IncomingMessage): Problem | undefined {
  const url = request.url ?? ''
  if (!url.startsWith('/'))
    return problem('invalid_request_line', {
      reason: 'the target must be a path or an address that begins with http:// or https://',
    })
  if (url.length > MAX_URL_LENGTH) return problem('invalid_request_line', { reason: 'the target is too long' })
  const raw = request.rawHeaders
  if (raw.length > MAX_HEADERS * 2) return problem('headers_too_large')
  let hosts = 0
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]
    if (name !== undefined && name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) return problem('invalid_request_line', { reason: 'there is more than one Host header' })
  // RFC 9112 6.1: a proxy that goes by the version sees another end of the body than we do, so the connection ends with it.
  if (request.httpVersion === '1.0' && request.headers['transfer-encoding'] !== undefined)
    return problem('invalid_request_line', { reason: 'HTTP/1.0 has no Transfer-Encoding' }, closing)
  if (hosts === 0 && request.httpVersion !== '1.0')
    return problem('invalid_request_line', { reason: 'the Host header is missing' })
  return undefined
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { closeConnection, isGone, resetConnection, waitWhileOpen } from '../connection.ts'
import { sendJson, sendText } from '../exchange.ts'

export type OidcTarget = 'discovery' | 'jwks' | 'token' | 'all'

/** How an issuer misbehaves; 'override' lays fields over an otherwise right discovery document. */
export type OidcMode = {
  readonly issuer?: string
  readonly target?: OidcTarget
  readonly mode: 'normal' | 'slow' | 'hang' | 'down' | 'error' | 'huge' | 'not-json' | 'redirect' | 'override'
  readonly ms?: number
  readonly status?: number
  readonly bytes?: number
  readonly location?: string
  readonly fields?: Readonly<Record<string, unknown>>
}

function findTarget(path: string): OidcTarget {
  if (path.startsWith('/.well-known/')) return 'discovery'
  if (path.startsWith('/jwks')) return 'jwks'
  return path.startsWith('/token') ? 'token' : 'all'
}

const PLAIN = 'x-simulator-plain'

/** Answers true when the mode has dealt with the request. */
export async function misbehave(
  mode: OidcMode,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const target = mode.target ?? 'all'
  if (mode.mode === 'normal' || request.headers[PLAIN] !== undefined) return false
  if (target !== 'all' && target !== findTarget(path)) return false
  switch (mode.mode) {
    case 'slow':
      await waitWhileOpen(response, mode.ms ?? 5000)
      return isGone(response)
    case 'hang':
      await waitWhileOpen(response, mode.ms ?? 600_000)
      closeConnection(response)
      return true
    case 'down':
      resetConnection(response)
      return true
    case 'error':
      sendJson(response, mode.status ?? 500, { error: 'server_error' })
      return true
    case 'not-json':
      sendText(response, 200, '<html>not what you expected</html>', { 'content-type': 'text/html' })
      return true
    case 'huge':
      sendText(response, 200, `{"keys":[],"padding":"${'x'.repeat(mode.bytes ?? 20_000_000)}"}`, {
        'content-type': 'application/json',
      })
      return true
    case 'redirect':
      sendText(response, mode.status ?? 302, '', { location: mode.location ?? 'http://169.254.169.254/' })
      return true
    default:
      return findTarget(path) === 'discovery' && override(mode, request, response)
  }
}

async function override(mode: OidcMode, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const reply = await fetch(`http://${request.headers.host}${request.url}`, { headers: { [PLAIN]: '1' } })
  sendJson(response, 200, { ...((await reply.json()) as object), ...mode.fields })
  return true
}

/** Decides the address under which people and programs reach this gateway: it goes into redirects, links and scripts. */
import { problem } from '../../foundation/domain/errors.ts'
import type { IdentityProvider } from '../../foundation/domain/idp.ts'
import type { Call } from '../../foundation/http/route.ts'
import type { SchemeReader } from './portal-session.ts'

export interface BaseUrlFacts {
  /** PUBLIC_URL. */
  readonly publicUrl: string | null
  /** While it listens to this machine only, no other name can be right. */
  readonly isLoopbackOnly: boolean
  readonly idps: () => readonly IdentityProvider[]
  readonly readScheme: SchemeReader
}

type Asked = Pick<Call<unknown, unknown, unknown>, 'headers' | 'scheme'>

export type BaseUrlFinder = (call: Asked, idp?: IdentityProvider) => string

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const hostPattern = new RegExp(`^(?:${label}(?:\\.${label})*|\\[[0-9a-f:.]{2,45}\\])(?::[1-9]\\d{0,4})?$`)
const domainPattern = new RegExp(`^${label}(?:\\.${label})*\\.[a-z]{2,63}$`)
/** Client ids of this form look like host names and are none. */
const clientIdDomains = ['.apps.googleusercontent.com']

export function createBaseUrlFinder(facts: BaseUrlFacts): BaseUrlFinder {
  return (call, idp) => {
    if (facts.publicUrl !== null) return facts.publicUrl
    const host = call.headers.host?.toLowerCase() ?? ''
    const audience = findAudienceHost(idp === undefined ? facts.idps() : [idp])
    if (audience !== undefined)
      return `https://${isHost(host) && host.replace(/:\d+$/, '') === audience ? host : audience}`
    return `${facts.readScheme(call.headers, call.scheme)}://${requireHost(host, facts.isLoopbackOnly)}`
  }
}

/** The address that holds for everybody, if somebody has said so: a message that others read must not follow a Host header. */
export function findKnownUrl({ publicUrl, idps }: Pick<BaseUrlFacts, 'publicUrl' | 'idps'>): string | undefined {
  if (publicUrl !== null) return publicUrl
  const audience = findAudienceHost(idps())
  return audience === undefined ? undefined : `https://${audience}`
}

/** spec: Authentication 11. An audience that looks like a domain name is the redirect host; a UUID is not. */
function findAudienceHost(idps: readonly IdentityProvider[]): string | undefined {
  return idps
    .filter((idp) => idp.enabled)
    .map((idp) => idp.audience.toLowerCase())
    .find((audience) => domainPattern.test(audience) && !clientIdDomains.some((suffix) => audience.endsWith(suffix)))
}

/** The pattern says which characters are harmless, the parser which ports and numbers can be meant. */
function isHost(host: string): boolean {
  return host.length <= 255 && hostPattern.test(host) && URL.canParse(`http://${host}`)
}

function requireHost(host: string, isLoopbackOnly: boolean): string {
  if (!isHost(host)) throw problem('invalid_request_line', { reason: 'the Host header is not a host name.' })
  if (isLoopbackOnly && !isLoopbackHost(host))
    throw problem('invalid_request_line', {
      reason: 'the Host header names another machine. Set PUBLIC_URL to the address that people use.',
    })
  return host
}

function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/.test(host)
}

/**
 * Every page of the web knows the default password, and can have a name of its own lead to the visitor's machine: the
 * browser then takes a gateway there for a part of that page. Such a call tells that name.
 */
export function requireHostForDefaultPassword(host: string | undefined, publicUrl: string | null): void {
  const name = host?.toLowerCase() ?? ''
  if (/^(?:localhost|[\d.]+|\[[\da-f:.]+\])?(?::\d+)?$/.test(name)) return
  if (publicUrl !== null && new URL(publicUrl).host === name) return
  throw problem('invalid_request_line', {
    reason: 'the Host header names another machine, and the password is the default one. Set ADMIN_PASSWORD.',
  })
}

/** A gateway with the simulator's identity provider, and a small HTTP client that keeps cookies as a browser does. */
import { startSimulator } from '../../simulator/simulator.ts'
import { type GatewayOptions, login, startGateway, type TestGateway } from '../support/gateway.ts'

export async function startLoginGateway(options: GatewayOptions = {}): Promise<TestGateway & { idpId: string }> {
  const simulator = options.simulator ?? (await startSimulator())
  const gateway = await startGateway({
    ...options,
    simulator,
    env: { OIDC_ISSUER: simulator.oidcUrl, OIDC_AUDIENCE: 'causeway', OIDC_NAME: 'Example SSO', ...options.env },
  })
  const { providers } = (await (await fetch(`${gateway.url}/auth/providers`)).json()) as { providers: { id: string }[] }
  return {
    ...gateway,
    idpId: providers[0]?.id ?? '',
    stop: async () => {
      await gateway.stop()
      if (options.simulator === undefined) await simulator.close()
    },
  }
}

export interface Visit {
  readonly status: number
  readonly url: string
  readonly headers: Headers
  readonly text: string
}

export interface CookieJar {
  readonly cookies: Map<string, Map<string, string>>
  /** One request, no redirects. */
  readonly send: (url: string, init?: RequestInit) => Promise<Visit>
  /** Follows redirects, and stops before `until` when it comes by. */
  readonly open: (url: string, until?: (url: string) => boolean) => Promise<Visit>
}

/** Cookies by host and path, as far as these tests need them. */
export function createJar(): CookieJar {
  const cookies = new Map<string, Map<string, string>>()

  function cookieHeader(url: URL): string {
    const found: string[] = []
    for (const [place, values] of cookies) {
      const [host = '', path = '/'] = place.split(' ')
      const isUnder = url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
      if (host === url.host && isUnder) for (const [name, value] of values) found.push(`${name}=${value}`)
    }
    return found.join('; ')
  }

  function keep(url: URL, lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
      const [name = '', ...rest] = pair.split('=')
      const path = attributes.find((part) => /^path=/i.test(part))?.slice(5) ?? '/'
      const place = `${url.host} ${path}`
      const values = cookies.get(place) ?? new Map<string, string>()
      cookies.set(place, values)
      const isOver = attributes.some((part) => /^max-age=0$/i.test(part) || /^expires=thu, 01 jan 1970/i.test(part))
      if (isOver) values.delete(name)
      else values.set(name, rest.join('='))
    }
  }

  async function send(address: string, init: RequestInit = {}): Promise<Visit> {
    const url = new URL(address)
    const cookie = cookieHeader(url)
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...(cookie === '' ? {} : { cookie }), ...(init.headers as Record<string, string> | undefined) },
    })
    keep(url, response.headers.getSetCookie())
    return { status: response.status, url: address, headers: response.headers, text: await response.text() }
  }

  async function open(address: string, until: (url: string) => boolean = () => false): Promise<Visit> {
    let visit = await send(address)
    for (let hop = 0; hop < 15; hop += 1) {
      const location = visit.headers.get('location')
      if (location === null) return visit
      const next = new URL(location, visit.url).href
      if (until(next)) return { ...visit, url: next }
      visit = await send(next)
    }
    throw new Error(`too many redirects at ${visit.url}`)
  }

  return { cookies, send, open }
}

/** Signs in at the simulator as this user; gives the address that the provider sends the browser back to. */
export async function authorize(jar: CookieJar, startUrl: string, user: string): Promise<string> {
  const isBack = (url: string): boolean => new URL(url).pathname === '/portal'
  const page = await jar.open(startUrl, isBack)
  if (isBack(page.url)) return page.url
  const posted = await jar.send(page.url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ user }).toString(),
  })
  const next = posted.headers.get('location')
  if (next === null) throw new Error(`the provider did not take ${user}: ${posted.status} ${posted.text.slice(0, 200)}`)
  return (await jar.open(new URL(next, page.url).href, isBack)).url
}

export async function signIn(
  gateway: { url: string; idpId: string },
  user: string,
  jar = createJar(),
): Promise<CookieJar> {
  const back = await authorize(jar, `${gateway.url}/auth/sso/${gateway.idpId}/start`, user)
  const visit = await jar.send(back)
  if (visit.status !== 303) throw new Error(`${visit.status} ${visit.text}`)
  return jar
}

export interface Me {
  readonly user: { readonly id: string; readonly subject: string; readonly role: string } | null
  readonly role: string
  readonly csrf_token?: string
  readonly session_expires_in?: number
}

export async function me(gateway: { url: string }, jar: CookieJar): Promise<Me> {
  return JSON.parse((await jar.send(`${gateway.url}/auth/me`)).text) as Me
}

/** A write as the portal's page makes it. */
export async function post(
  gateway: { url: string },
  jar: CookieJar,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Visit> {
  const { csrf_token: csrf = '' } = await me(gateway, jar)
  return await jar.send(`${gateway.url}${path}`, {
    method: 'POST',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'x-csrf-token': csrf,
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

export async function asAdmin(
  gateway: { url: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  const token = await login(gateway.url)
  return await fetch(`${gateway.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

export interface CliLogin {
  readonly session_code: string
  readonly user_code: string
  readonly verification_url: string
  readonly interval: number
  readonly expires_in: number
}

export async function beginCliLogin(gateway: { url: string }): Promise<CliLogin> {
  return (await (await fetch(`${gateway.url}/auth/cli/login`)).json()) as CliLogin
}

export function poll(gateway: { url: string }, sessionCode: string): Promise<Response> {
  return fetch(`${gateway.url}/auth/cli/poll?session_code=${encodeURIComponent(sessionCode)}`)
}

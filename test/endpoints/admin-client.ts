/** Calls the admin API of a whole gateway; every answer is held against what its route declares. */
import { type Coverage, createCoverage } from '../support/api-coverage.ts'
import { listEndpointAndModelRoutes } from '../support/control-routes.ts'
import { login, type TestGateway } from '../support/gateway.ts'

export interface AdminAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the client has just checked the body against the declared schema.
  readonly body: any
}

export interface Admin {
  readonly call: (method: string, path: string, body?: unknown) => Promise<AdminAnswer>
  /** The body of a call that must succeed. */
  readonly done: (method: string, path: string, body?: unknown) => Promise<AdminAnswer['body']>
}

/** Routes are only described here, never run, so nothing behind them is needed. */
export function newCoverage(): Coverage {
  return createCoverage(listEndpointAndModelRoutes())
}

export async function adminOf(gateway: Pick<TestGateway, 'url'>, coverage: Coverage = newCoverage()): Promise<Admin> {
  const token = await login(gateway.url)
  const call: Admin['call'] = async (method, path, body) => {
    const response = await fetch(`${gateway.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const answer = {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
    coverage.record(method, path, answer)
    return answer
  }
  return {
    call,
    done: async (method, path, body) => {
      const answer = await call(method, path, body)
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body
    },
  }
}

export async function until<T>(ask: () => Promise<T | undefined | false>, timeoutMs = 120_000): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${ask.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

export const east = { name: 'east', region: 'us-east-1', routing_prefix: 'us', priority: 1, enabled: true } as const

export const nowhere = '0190a000-0000-7000-8000-00000000dead'

const aipArn = 'arn:aws:bedrock:us-east-1:111111111111:application-inference-profile/x'
const capability = {
  endpoint_id: nowhere,
  profile_id: 'us.anthropic.claude-opus-5',
  beta_name: 'context-1m-2025-08-07',
}

/** One good call of every route, on ids that do not exist. */
export const everyCall: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['GET', '/admin/endpoints'],
  ['POST', '/admin/endpoints', east],
  ['GET', `/admin/endpoints/${nowhere}`],
  ['PUT', `/admin/endpoints/${nowhere}`, { priority: 1 }],
  ['DELETE', `/admin/endpoints/${nowhere}`],
  ['PUT', `/admin/endpoints/${nowhere}/default`],
  ['GET', `/admin/endpoints/${nowhere}/drain`],
  ['GET', `/admin/endpoints/${nowhere}/quotas`],
  ['GET', `/admin/endpoints/${nowhere}/models`],
  ['POST', `/admin/endpoints/${nowhere}/check`],
  ['GET', `/admin/endpoints/${nowhere}/aip-overrides`],
  ['POST', `/admin/endpoints/${nowhere}/aip-overrides`, { model_id: 'claude-opus-5', aip_arn: aipArn }],
  ['DELETE', `/admin/endpoints/${nowhere}/aip-overrides/claude-opus-5`],
  ['GET', `/admin/teams/${nowhere}/endpoints`],
  ['PUT', `/admin/teams/${nowhere}/endpoints`, { endpoints: [] }],
  ['GET', '/admin/model-mappings'],
  ['PUT', '/admin/model-mappings/our-model', { hosted_model_id: 'anthropic.claude-opus-5' }],
  ['DELETE', '/admin/model-mappings/our-model'],
  ['POST', '/admin/models/resolve', { model: 'claude-opus-5' }],
  ['GET', '/admin/capabilities'],
  ['PUT', '/admin/capabilities/overrides', { ...capability, supported: true }],
  ['DELETE', '/admin/capabilities/overrides', capability],
]

export async function toStatus(
  url: string,
  [method, path, body]: (typeof everyCall)[number],
  token: string | undefined,
): Promise<number> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  await response.text()
  return response.status
}

/** A whole gateway with identity providers that provision, and a client that checks the form of every answer. */
import assert from 'node:assert/strict'
import { newId } from '../../src/foundation/platform/ids.ts'
import { startLoginGateway } from '../sign-in/login-app.ts'
import { login } from '../support/gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes.
type Body = any

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

export interface ScimProvider {
  readonly idpId: string
  readonly name: string
  readonly token: string
  readonly scim: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>
}

export type ScimApp = Awaited<ReturnType<typeof startScimApp>>

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

export async function startScimApp() {
  const gateway = await startLoginGateway()
  const { database, url } = gateway
  assert.ok(database !== undefined)
  const session = await login(url)

  const admin = (method: string, path: string, body?: unknown): Promise<Reply> =>
    send(`${url}${path}`, method, session, body, { 'content-type': 'application/json' })

  const scimAs = async (
    token: string | undefined,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> => {
    const type = { 'content-type': 'application/scim+json', ...headers }
    const reply = await send(`${url}/scim/v2${path}`, method, token, body, type)
    assert.match(reply.headers.get('request-id') ?? '', /^req_/)
    if (reply.status !== 204) assert.match(reply.headers.get('content-type') ?? '', /^application\/scim\+json/)
    if (reply.status >= 400) {
      assert.deepEqual(reply.body.schemas, [ERROR_SCHEMA])
      assert.equal(reply.body.status, String(reply.status))
      assert.ok(reply.body.detail.length > 0)
    }
    return reply
  }

  const addToken = async (idpId: string, body: object = {}): Promise<{ id: string; token: string }> =>
    (await admin('POST', `/admin/idps/${idpId}/scim-tokens`, body)).body

  const asProvider = async (idpId: string, name: string): Promise<ScimProvider> => {
    const { token } = await addToken(idpId)
    return { idpId, name, token, scim: (...request) => scimAs(token, ...request) }
  }

  return {
    ...gateway,
    database,
    admin,
    scimAs,
    addToken,
    /** The provider of the simulator, where people can sign in. */
    signInProvider: () => asProvider(gateway.idpId, 'Example SSO'),
    addProvider: async (name: string, issuerUrl = `https://${newId()}.example.com`): Promise<ScimProvider> => {
      const { body } = await admin('POST', '/admin/idps', { name, issuer_url: issuerUrl, audience: 'causeway' })
      return await asProvider(body.id, name)
    },
    userOf: async (subject: string): Promise<Body> => {
      const { body } = await admin('GET', `/admin/users?q=${encodeURIComponent(subject)}`)
      return body.data.find((user: Body) => user.subject === subject)
    },
    teamNameOf: async (userId: string): Promise<string | null> => {
      const { body: user } = await admin('GET', `/admin/users/${userId}`)
      return user.team_id === null ? null : (await admin('GET', `/admin/teams/${user.team_id}`)).body.name
    },
    actionsOf: async (actor: string): Promise<string[]> => {
      const { body } = await admin('GET', `/admin/audit?limit=200&actor=${encodeURIComponent(actor)}`)
      return body.data.map((entry: Body) => entry.action)
    },
  }
}

async function send(
  url: string,
  method: string,
  token: string | undefined,
  body: unknown,
  headers: Record<string, string>,
): Promise<Reply> {
  const { 'content-type': type = '', ...others } = headers
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': type }),
      ...others,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

export const patchOf = (...operations: readonly object[]): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
})

export const userBody = (userName: string, values: object = {}): object => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName,
  active: true,
  ...values,
})

export const groupBody = (displayName: string, members: readonly string[] = [], values: object = {}): object => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
  displayName,
  members: members.map((value) => ({ value })),
  ...values,
})

/** Tries an identity provider before it is saved. Needs the same role as saving: it makes the gateway call a URL. */
import { z } from 'zod'
import { badInput, forAdmins } from '../../../foundation/http/answers.ts'
import { apiRoute, ok, type Route } from '../../../foundation/http/route.ts'
import { MAX_CREDENTIAL_LENGTH } from '../credentials.ts'
import { newIdp, requireUsableUrls } from './idp.fields.ts'
import type { IdpPorts } from './idp-ports.ts'
import { tryIdp } from './try-idp.service.ts'

const outcome = { ok: z.boolean(), message: z.string() }

const resultSchema = z.object({
  success: z.boolean(),
  discovery: z.object({
    ...outcome,
    jwks_url: z.string().nullable(),
    authorization_endpoint: z.string().nullable(),
    token_endpoint: z.string().nullable(),
  }),
  signing_keys: z.object({ ...outcome, usable: z.int(), key_ids: z.array(z.string()) }),
  token: z
    .object({
      ...outcome,
      claims: z.record(z.string(), z.unknown()).nullable(),
      user_name: z.string().nullable(),
      domain_allowed: z.boolean().nullable(),
    })
    .nullable(),
})

/** The form as it would be saved; only the issuer is needed. `token` is one of the provider's, to preview its claims. */
const body = newIdp.partial({ name: true, audience: true }).extend({
  token: z
    .string()
    .max(MAX_CREDENTIAL_LENGTH)
    .regex(/^[\w-]+(?:\.[\w-]+){2,}$/, 'must be a token such as eyJ….eyJ….…')
    .optional(),
})

export function idpTestRoute(ports: IdpPorts, tag: string): Route {
  const { 401: noCredential, 403: noAdmin } = forAdmins
  return apiRoute({
    method: 'POST',
    path: '/admin/idps/test',
    access: 'admin',
    tag,
    summary: 'Try an identity provider before saving it',
    description:
      'Fetches the discovery document and the signing keys. With a `token` and an `audience` it also shows which claims the gateway would read and whom they name. Nothing is stored.',
    body,
    answers: {
      200: { text: 'What worked and what did not', schema: resultSchema },
      ...badInput,
      401: noCredential,
      403: noAdmin,
    },
    handle: async (call) => {
      requireUsableUrls(ports, call.body)
      return ok(
        await tryIdp(ports, {
          issuerUrl: call.body.issuer_url,
          jwksUrl: call.body.jwks_url,
          audience: call.body.audience ?? '',
          userClaim: call.body.user_claim,
          allowedDomains: call.body.allowed_domains,
          token: call.body.token,
        }),
      )
    },
  })
}

/** Identity providers as the wire writes them. The client secret goes in and never comes out. */

import { z } from 'zod'
import { invalidField } from '../../../foundation/domain/errors.ts'
import { idpLogouts, userClaims } from '../../../foundation/domain/idp.ts'
import { id, name, role, text } from '../../../foundation/http/fields.ts'
import { defined } from '../../../foundation/platform/defined.ts'
import type { IdpPatch, IdpRecord } from '../idps.store.ts'
import type { IdpPorts } from './idp-ports.ts'

const url = z
  .string()
  .trim()
  .min(1)
  .max(2_048)
  .regex(/^[^\s\p{Cc}\p{Cs}]*$/u, 'must not have spaces or control characters')

/** Kept as typed: a secret may well begin with a space. */
const secret = z
  .string()
  .min(1)
  .max(4_096)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not have control characters')

const domain = z
  .string()
  .trim()
  .max(254)
  .transform((value) => value.replace(/^@/, '').normalize('NFC').toLowerCase())
  .pipe(z.string().regex(/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u, 'must be a domain such as example.com'))

/** An empty list restricts nothing, and is stored as what it means. */
const allowedDomains = z
  .array(domain)
  .max(200)
  .transform((domains) => (domains.length === 0 ? null : [...new Set(domains)]))

/** What is left out is left closed: nobody is let in, and nobody becomes an administrator, by omission. */
export const newIdp = z.strictObject({
  name,
  issuer_url: url,
  audience: text(320),
  auto_provision: z.boolean().default(false),
  default_role: role.default('member'),
  allowed_domains: allowedDomains.nullable().default(null),
  user_claim: z.enum(userClaims).default('auto'),
  enabled: z.boolean().default(true),
  logout: z.enum(idpLogouts).default('local'),
  client_id: text(320).nullable().default(null),
  client_secret: secret.nullable().default(null),
  jwks_url: url.nullable().default(null),
})

export const idpPatch = z.strictObject({
  name: name.optional(),
  issuer_url: url.optional(),
  audience: text(320).optional(),
  auto_provision: z.boolean().optional(),
  default_role: role.optional(),
  allowed_domains: allowedDomains.nullable().optional(),
  user_claim: z.enum(userClaims).optional(),
  enabled: z.boolean().optional(),
  logout: z.enum(idpLogouts).optional(),
  client_id: text(320).nullable().optional(),
  client_secret: secret.nullable().optional(),
  jwks_url: url.nullable().optional(),
})

export type IdpPatchBody = z.infer<typeof idpPatch>

export const idpSchema = z.object({
  id,
  name: z.string(),
  issuer_url: z.string(),
  audience: z.string(),
  auto_provision: z.boolean(),
  default_role: role,
  allowed_domains: z.array(z.string()).nullable(),
  user_claim: z.enum(userClaims),
  enabled: z.boolean(),
  logout: z.enum(idpLogouts),
  client_id: z.string().nullable(),
  has_client_secret: z.boolean(),
  jwks_url: z.string().nullable(),
  created_at: z.iso.datetime(),
})

export function idpBody(idp: IdpRecord) {
  return {
    id: idp.id,
    name: idp.name,
    issuer_url: idp.issuerUrl,
    audience: idp.audience,
    auto_provision: idp.autoProvision,
    default_role: idp.defaultRole,
    allowed_domains: idp.allowedDomains,
    user_claim: idp.userClaim,
    enabled: idp.enabled,
    logout: idp.logout,
    client_id: idp.clientId,
    has_client_secret: idp.hasClientSecret,
    jwks_url: idp.jwksUrl,
    created_at: idp.createdAt,
  }
}

/** Everything but the secret, which is sealed for its row once the row has an id. */
export function toIdpPatch(body: IdpPatchBody): Omit<IdpPatch, 'clientSecret'> {
  return defined({
    name: body.name,
    issuerUrl: body.issuer_url,
    audience: body.audience,
    autoProvision: body.auto_provision,
    defaultRole: body.default_role,
    allowedDomains: body.allowed_domains,
    userClaim: body.user_claim,
    enabled: body.enabled,
    logout: body.logout,
    clientId: body.client_id,
    jwksUrl: body.jwks_url,
  })
}

/** The same guard that every call to these URLs passes again, so that a mistake shows when it is made. */
export function requireUsableUrls(
  ports: Pick<IdpPorts, 'checkUrl'>,
  body: { readonly issuer_url?: string | undefined; readonly jwks_url?: string | null | undefined },
): void {
  for (const field of ['issuer_url', 'jwks_url'] as const) {
    const value = body[field]
    if (value === undefined || value === null) continue
    const refused = ports.checkUrl(value)
    if (refused !== undefined) throw invalidField(field, refused)
  }
  // The issuer is compared as text with the token's `iss`, and a path is appended to it for the discovery.
  if (body.issuer_url !== undefined && /[?#]/.test(body.issuer_url))
    throw invalidField('issuer_url', 'must not have a query or a fragment')
}

export function clientSecretContext(idpId: string): string {
  return `idps.client_secret:${idpId}`
}

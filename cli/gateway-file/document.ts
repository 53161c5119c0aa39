/** The file that describes a gateway: what `export` writes and `apply` reads. Secrets have no place in it. */
import { z } from 'zod'
import { priceScopes } from '../../src/domain/price.ts'
import { usageError } from '../cli-error.ts'

/** As a gateway keeps it: else the file would find nothing under the name that it has given itself. */
const name = z.string().trim().normalize('NFC')

const rule = z.strictObject({
  at_percent: z.number(),
  action: z.enum(['notify', 'shape', 'block']),
  rpm: z.int().optional(),
})

const budget = z.strictObject({
  limit_usd: z.number().positive(),
  period: z.enum(['daily', 'weekly', 'monthly']),
  policy: z.union([z.enum(['standard', 'soft', 'shaped']), z.array(rule)]).optional(),
  member_limit_usd: z.number().positive().nullish(),
})

const rates = {
  input_usd_per_mtok: z.number(),
  output_usd_per_mtok: z.number(),
  cache_read_usd_per_mtok: z.number(),
  cache_write_5m_usd_per_mtok: z.number(),
  cache_write_1h_usd_per_mtok: z.number().nullish(),
}

const gatewayDocument = z.strictObject({
  version: z.literal(1),
  settings: z.record(z.string(), z.unknown()).optional(),
  endpoints: z
    .array(
      z.strictObject({
        name,
        region: z.string(),
        routing_prefix: z.string(),
        priority: z.int().optional(),
        enabled: z.boolean().optional(),
        role_arn: z.string().nullish(),
        external_id: z.string().nullish(),
        default: z.boolean().optional(),
        aip_overrides: z
          .array(z.strictObject({ model_id: z.string(), aip_arn: z.string(), reason: z.string().nullish() }))
          .optional(),
      }),
    )
    .optional(),
  teams: z
    .array(
      z.strictObject({
        name,
        budget: budget.optional(),
        routing: z
          .strictObject({
            strategy: z.enum(['sticky_user', 'primary_fallback', 'round_robin']),
            endpoints: z.array(z.strictObject({ name, priority: z.int() })),
          })
          .optional(),
      }),
    )
    .optional(),
  user_budgets: z.array(budget.omit({ member_limit_usd: true }).extend({ user: z.string() })).optional(),
  model_mappings: z
    .array(z.strictObject({ model: z.string(), hosted_model_id: z.string(), display_name: name.optional() }))
    .optional(),
  prices: z
    .array(
      z.strictObject({
        model_id: z.string(),
        scope: z.enum(priceScopes),
        ...rates,
        long_context: z.strictObject({ above_prompt_tokens: z.int(), ...rates }).nullish(),
      }),
    )
    .optional(),
  notifications: z
    .strictObject({
      categories: z.strictObject({ budget: z.boolean().optional(), rate_limit: z.boolean().optional() }),
    })
    .optional(),
  idps: z
    .array(
      z.strictObject({
        name,
        issuer_url: z.string(),
        audience: z.string(),
        auto_provision: z.boolean().optional(),
        default_role: z.enum(['member', 'admin']).optional(),
        allowed_domains: z.array(z.string()).nullish(),
        user_claim: z.string().optional(),
        enabled: z.boolean().optional(),
        client_id: z.string().nullish(),
        jwks_url: z.string().nullish(),
      }),
    )
    .optional(),
})

export type GatewayDocument = z.infer<typeof gatewayDocument>

export async function parseDocument(text: string, file: string): Promise<GatewayDocument> {
  const { parse } = await import('yaml')
  let value: unknown
  try {
    value = parse(text)
  } catch (error) {
    throw usageError(`${file} is not YAML: ${(error as Error).message}`)
  }
  const result = gatewayDocument.safeParse(value)
  if (result.success) return result.data
  const mistakes = result.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'the document'}: ${message}`)
  throw usageError(
    `${file} does not describe a gateway: ${mistakes.join('; ')}`,
    'look at what "causeway export" writes',
  )
}

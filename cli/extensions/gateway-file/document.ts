/** The file that describes a gateway: what `export` writes and `apply` reads. Secrets have no place in it. */
import { z } from 'zod'
import { destinationTypes } from '../../../src/foundation/domain/notification-destination.ts'
import { priceScopes } from '../../../src/foundation/domain/price.ts'
import { MAX_SEARCH_RESULTS, searchProviderTypes } from '../../../src/foundation/domain/web-search.ts'
import { mistakesIn, wordsFor } from '../../../src/foundation/platform/schema-mistakes.ts'
import { usageError } from '../../terminal/cli-error.ts'

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

const notifications = z
  .strictObject({
    destination_type: z.enum(destinationTypes).optional(),
    destination: z.string().min(1).optional(),
    /** Whether a webhook is signed; the secret itself is kept, or stored beforehand. */
    has_secret: z.boolean().optional(),
    categories: z
      .strictObject({
        budget: z.boolean().optional(),
        rate_limit: z.boolean().optional(),
        keys: z.boolean().optional(),
        digest: z.boolean().optional(),
      })
      .optional(),
  })
  .superRefine(({ destination_type: type, destination, has_secret: hasSecret }, issues) => {
    const refuse = (field: string, message: string) => issues.addIssue({ code: 'custom', path: [field], message })
    if (type === undefined && destination !== undefined) refuse('destination_type', 'is needed with a destination')
    if (type !== undefined && destination === undefined) refuse('destination', 'is needed with a destination_type')
    if (hasSecret === true && type !== 'webhook') refuse('has_secret', 'only a webhook is signed with a secret')
  })

/** Keys of the client, of which a gateway knows nothing. Null takes the document away. */
const managedSettings = z.record(z.string(), z.unknown()).nullish()

const gatewayDocument = z.strictObject({
  version: z.literal(1),
  settings: z.record(z.string(), z.unknown()).optional(),
  managed_settings: managedSettings,
  search_provider: z
    .strictObject({
      provider_type: z.enum(searchProviderTypes),
      api_url: z.string().nullish(),
      max_results: z.int().min(1).max(MAX_SEARCH_RESULTS).optional(),
      /** Whether one is sent; the key itself is kept, or stored beforehand. */
      has_api_key: z.boolean().optional(),
    })
    .optional(),
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
        beta_overrides: z
          .array(
            z.strictObject({
              profile_id: z.string(),
              beta_name: z.string(),
              supported: z.boolean(),
              reason: z.string().nullish(),
            }),
          )
          .optional(),
      }),
    )
    .optional(),
  teams: z
    .array(
      z.strictObject({
        name,
        budget: budget.optional(),
        managed_settings: managedSettings,
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
  notifications: notifications.optional(),
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
        logout: z.enum(['local', 'provider']).optional(),
        enabled: z.boolean().optional(),
        client_id: z.string().nullish(),
        /** Whether one is sent; the secret itself is kept, or stored afterwards. */
        has_client_secret: z.boolean().optional(),
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
  const result = gatewayDocument.safeParse(value, { error: wordsFor })
  if (result.success) return result.data
  const mistakes = mistakesIn(result.error.issues)
    .slice(0, 5)
    .map(({ path, message }) => `${path || 'the document'}: ${message}`)
  throw usageError(
    `${file} does not describe a gateway: ${mistakes.join('; ')}`,
    'look at what "causeway export" writes',
  )
}

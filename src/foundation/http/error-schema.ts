/** The bodies of errors as clients see them. */
import { type ZodType, z } from 'zod'

export const errorBodySchema = z.object({
  type: z.literal('error'),
  error: z.object({
    type: z.string(),
    message: z.string(),
    code: z.string(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  }),
  request_id: z.string(),
})

const bedrockErrorSchema = z.object({ message: z.string() })

const scimErrorSchema = z.object({
  schemas: z.tuple([z.literal('urn:ietf:params:scim:api:messages:2.0:Error')]),
  status: z.string(),
  scimType: z.string().optional(),
  detail: z.string(),
})

/** Whose error format a route uses. */
export type ErrorForm = 'common' | 'bedrock' | 'scim'

interface DescribedErrors {
  /** Of the schema in the API description. */
  readonly name: string
  readonly text: string
  readonly schema: ZodType
}

export const errorForms: Readonly<Record<ErrorForm, DescribedErrors>> = {
  common: { name: 'Error', text: 'An error in the common shape.', schema: errorBodySchema },
  bedrock: {
    name: 'BedrockError',
    text: 'An error as Amazon Bedrock writes it. The header `x-amzn-errortype` names the exception.',
    schema: bedrockErrorSchema,
  },
  scim: { name: 'ScimError', text: 'A SCIM error (RFC 7644 3.12).', schema: scimErrorSchema },
}

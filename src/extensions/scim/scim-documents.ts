/** The bodies that provisioning takes and returns, for the API description only: the readers are more patient than a schema. */
import { type ZodType, z } from 'zod'

const member = z.looseObject({ value: z.string() })

export const userDocument = z.looseObject({
  schemas: z.array(z.string()).optional(),
  userName: z.string(),
  externalId: z.string().optional(),
  displayName: z.string().optional(),
  name: z
    .looseObject({
      givenName: z.string().optional(),
      familyName: z.string().optional(),
      formatted: z.string().optional(),
    })
    .optional(),
  emails: z.array(z.looseObject({ value: z.string() })).optional(),
  active: z.boolean().optional(),
})

export const groupDocument = z.looseObject({
  schemas: z.array(z.string()).optional(),
  displayName: z.string(),
  externalId: z.string().optional(),
  members: z.array(member).optional(),
})

export const patchDocument = z.looseObject({
  schemas: z.array(z.string()).optional(),
  Operations: z.array(z.looseObject({ op: z.string(), path: z.string().optional(), value: z.unknown().optional() })),
})

const meta = z.looseObject({ resourceType: z.string(), location: z.string() })
const resource = { schemas: z.array(z.string()), id: z.string(), meta }
const reference = z.object({ value: z.string(), display: z.string().optional(), $ref: z.string() })

/** Of every attribute but `schemas` and `id`, a caller may ask to leave it out. */
export const userResourceDocument = z
  .looseObject({
    ...resource,
    userName: z.string(),
    externalId: z.string(),
    displayName: z.string(),
    name: z.object({ formatted: z.string(), givenName: z.string(), familyName: z.string() }).partial(),
    active: z.boolean(),
    emails: z.array(z.object({ value: z.string(), type: z.string(), primary: z.boolean() })),
    groups: z.array(reference),
  })
  .partial()
  .required({ schemas: true, id: true })

export const groupResourceDocument = z
  .looseObject({
    ...resource,
    displayName: z.string(),
    externalId: z.string(),
    members: z.array(reference.extend({ type: z.literal('User') })),
  })
  .partial()
  .required({ schemas: true, id: true })

/** Resource types, schemas and the configuration of the service. */
export const discoveryDocument = z.looseObject({ schemas: z.array(z.string()), meta })

export function listDocument(one: ZodType): ZodType {
  return z.object({
    schemas: z.array(z.string()),
    totalResults: z.int(),
    startIndex: z.int(),
    itemsPerPage: z.int(),
    Resources: z.array(one),
  })
}

/** The bodies that provisioning takes, for the API description only: the readers are more patient than a schema. */
import { z } from 'zod'

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

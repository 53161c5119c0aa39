import { z } from 'zod'

/** The error body as clients see it. */
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

/** An identity provider as the pages know it. */
import type { Answer } from '../../../api/client.ts'

export type Provider = Answer<'/admin/idps', 'get'>['data'][number]

export const providerPaths = ['/admin/idps', '/auth/providers'] as const

export const claims = ['auto', 'email', 'preferred_username', 'upn', 'oid', 'name', 'sub'] as const

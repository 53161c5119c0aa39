/** The price of a model, as the list of the gateway has it. */
import type { Answer } from '../../api/client.ts'

export type Price = Answer<'/admin/pricing', 'get'>['data'][number]

/** A request for a higher budget, as the list of the gateway has it. */
import type { Answer } from '../../../api/client.ts'

export type BudgetRequest = Answer<'/admin/budget-requests', 'get'>['data'][number]

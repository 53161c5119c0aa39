/** Where a budget stands, in one word. */
import { Badge, type Tone } from './states.tsx'

export type BudgetStatus = 'ok' | 'warning' | 'shaped' | 'blocked'

const states: Readonly<Record<BudgetStatus, readonly [Tone, string]>> = {
  ok: ['ok', 'Within budget'],
  warning: ['warn', 'Warning'],
  shaped: ['warn', 'Slowed down'],
  blocked: ['bad', 'Blocked'],
}

export function BudgetBadge({ status }: { readonly status: BudgetStatus }) {
  const [tone, word] = states[status]
  return <Badge tone={tone}>{word}</Badge>
}

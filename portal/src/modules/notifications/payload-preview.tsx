/** What a receiver gets, with made-up values. */
import { Command } from '../../ui/copy.tsx'
import { Card } from '../../ui/layout.tsx'

const example = {
  source: 'gateway',
  version: '1',
  category: 'budget',
  event_type: 'budget_warning',
  severity: 'warning',
  user_identity: 'ada@example.com',
  team_id: '0190a000-0000-7000-8000-000000000000',
  team_name: 'Platform',
  detail: {
    threshold_percent: 80,
    spend_usd: 40.12,
    limit_usd: 50,
    percent: 80.24,
    period: 'weekly',
    period_start: '2026-11-09T00:00:00Z',
  },
  timestamp: '2026-11-15T09:30:00Z',
}

export function PayloadPreview() {
  return (
    <Card
      title="What is sent"
      lead="An example. The event bus leaves out source, event_type and timestamp, which its envelope has."
    >
      <Command text={JSON.stringify(example, null, 2)} label="the example of a notification" />
    </Card>
  )
}

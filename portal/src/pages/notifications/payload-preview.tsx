/** What a receiver gets, with made-up values. */
import { Command } from '../../ui/copy.tsx'
import { Card } from '../../ui/layout.tsx'

const example = {
  version: '1',
  source: 'causeway',
  event_type: 'budget_warning',
  severity: 'warning',
  timestamp: '2026-11-15T09:30:00Z',
  user: 'ada@example.com',
  team: 'Platform',
  details: {
    budget_type: 'user',
    limit_usd: 50,
    spend_usd: 40.12,
    percent: 80.2,
    period: 'weekly',
    threshold_percent: 80,
  },
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

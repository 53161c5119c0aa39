/** The last deliveries and what became of them. */
import { formatDurationMs } from '../../ui/format.ts'
import { Card } from '../../ui/layout.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Badge } from '../../ui/states.tsx'
import { Nothing, Time } from '../../ui/values.tsx'
import type { NotificationConfig } from './destination.ts'

export function Deliveries({ history }: { readonly history: NotificationConfig['history'] }) {
  return (
    <Card
      title="Deliveries"
      lead="The newest first. An event may be delivered more than once, always under the same id."
      isFlush
    >
      <PlainTable
        caption="Deliveries"
        rows={history}
        rowId={({ id }) => id}
        empty="Nothing has been sent yet."
        columns={[
          { id: 'at', header: 'Time', cell: ({ created_at: at }) => <Time at={at} hasSeconds /> },
          { id: 'event', header: 'Event', cell: ({ event_type: type }) => type },
          {
            id: 'status',
            header: 'Result',
            cell: ({ status }) => (
              <Badge tone={status === 'delivered' ? 'ok' : 'bad'}>
                {status === 'delivered' ? 'Delivered' : 'Failed'}
              </Badge>
            ),
          },
          {
            id: 'answer',
            header: 'Answer',
            align: 'right',
            cell: ({ response_status: status }) => status ?? <Nothing />,
          },
          { id: 'attempt', header: 'Attempt', align: 'right', isMinor: true, cell: ({ attempt }) => attempt },
          {
            id: 'took',
            header: 'Took',
            align: 'right',
            isMinor: true,
            cell: ({ duration_ms: ms }) => formatDurationMs(ms),
          },
          { id: 'error', header: 'Error', isMinor: true, cell: ({ error }) => error ?? <Nothing /> },
        ]}
      />
    </Card>
  )
}

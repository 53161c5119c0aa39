/** What a destination is called, and what is read again when one changes. */
import type { Answer } from '../../api/client.ts'

export type NotificationConfig = Answer<'/admin/notifications/config', 'get'>
export type Destination = NonNullable<NotificationConfig['active']>

export const configPath = ['/admin/notifications/config'] as const

export const typeNames: Readonly<Record<Destination['destination_type'], string>> = {
  webhook: 'Webhook',
  topic: 'Topic (SNS)',
  event_bus: 'Event bus (EventBridge)',
}

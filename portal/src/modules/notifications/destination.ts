/** What a destination is called, and what is read again when one changes. */
import type { Answer } from '../../api/client.ts'

export type NotificationConfig = Answer<'/admin/notifications/config', 'get'>
export type Destination = NonNullable<NotificationConfig['active']>

export const configPath = ['/admin/notifications/config'] as const

/** The path of a webhook may be a secret: the page tells where it leads, and only the form has it whole. */
export function shortenDestination({
  destination_type: type,
  destination,
}: Pick<Destination, 'destination_type' | 'destination'>) {
  return `${typeNames[type]}: ${type === 'webhook' ? new URL(destination).host : destination}`
}

export const typeNames: Readonly<Record<Destination['destination_type'], string>> = {
  webhook: 'Webhook',
  topic: 'Topic (SNS)',
  event_bus: 'Event bus (EventBridge)',
}

/** What the routes of notifications need from the rest of the gateway. */
import type { Destination } from '../../foundation/domain/notification-destination.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import type { SecretPorts } from '../../foundation/platform/secret-box.ts'
import type { Sender } from './send-event.ts'

export interface NotificationPorts extends RoutePorts, SecretPorts {
  /** Undefined when the gateway may call the URL, else why not. */
  readonly checkUrl: (url: string) => string | undefined
  readonly notifications: {
    /** Of BUDGET_NOTIFICATION_URL: used while no destination is active. */
    readonly fallback: Destination | null
    readonly send: Sender['send']
  }
}

/** What the live feed needs from the rest of the gateway. */
import type { IncomingHttpHeaders } from 'node:http'
import type { AccessRule } from '../../foundation/domain/access.ts'
import type { LiveEvent } from '../../foundation/domain/live-event.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'

export interface EventPorts extends RoutePorts {
  readonly live: LivePorts
}

export interface LivePorts {
  /** Returns what ends it. */
  readonly watch: (take: (event: LiveEvent) => void) => () => void
  /** Looks at the credential again, as if it had just been sent. */
  readonly mayStillWatch: (rule: AccessRule, headers: IncomingHttpHeaders, scheme: 'http' | 'https') => Promise<boolean>
}

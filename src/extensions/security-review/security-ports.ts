/** What the security page asks the rest of the gateway: how this process was started, without any of its secrets. */

import type { CredentialKind } from '../../bedrock/service-caller.ts'
import type { Transport } from '../../foundation/database/connection-options.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import type { BudgetPorts } from '../../modules/budgets/budget-ports.ts'
import type { NotificationPorts } from '../../modules/notifications/notification-ports.ts'

export interface SecurityPorts
  extends Pick<RoutePorts, 'snapshot' | 'database' | 'clock'>,
    Pick<NotificationPorts, 'notifications'>,
    Pick<BudgetPorts, 'findKnownUrl'> {
  readonly security: SecurityFacts
  /** Ids of enabled identity providers that can provision people now. Undefined where nothing offers provisioning. */
  readonly findProvisioningIdps?: (db: Database['kysely'], nowMs: number) => Promise<readonly string[]> | undefined
}

export interface SecurityFacts {
  readonly version: string
  readonly password: PasswordFacts
  readonly listening: () => ListeningFacts
  readonly trustedProxies: readonly string[]
  readonly database: DatabaseFacts
  /** Undefined until it was first reached. */
  readonly databaseTransport: () => Transport | undefined
  readonly hasSecretKey: boolean
  readonly logLevel: string
  readonly isMetricsGuarded: boolean
  readonly egressAllow: readonly string[]
  readonly searchEgressAllow: readonly string[]
  readonly journalDirectory: string
  readonly findCredentialKind: (endpoint: Endpoint) => CredentialKind
  readonly addresses: AddressFacts
}

/** The password itself stays outside. */
export interface PasswordFacts {
  readonly username: string
  /** ADMIN_PASSWORD_ENABLE: on, whatever the setting says. */
  readonly isForcedOn: boolean
  readonly weakness: 'default' | 'username' | 'short' | null
}

export interface ListeningFacts {
  readonly host: string
  readonly isLoopbackOnly: boolean
  /** TLS_CERT is set; it may still not be served. */
  readonly hasCertificate: boolean
  /** Null without an HTTPS listener. */
  readonly certificateExpiresAtMs: number | null
}

export type DatabaseFacts =
  | { readonly kind: 'none' }
  | { readonly kind: 'embedded' }
  | {
      readonly kind: 'server'
      /** With its port; the directory of a socket. */
      readonly host: string
      /** On this machine: what is said to it passes no network. */
      readonly isLocal: boolean
      /** Where the mode of TLS is set. */
      readonly modeVariable: 'DATABASE_URL' | 'DATABASE_SSLMODE'
    }

/** Null: the public address of the service. */
export interface AddressFacts {
  readonly bedrockRuntime: string | null
  readonly bedrock: string | null
  readonly serviceQuotas: string | null
  readonly sts: string | null
  readonly sns: string | null
  readonly eventBridge: string | null
  /** Undefined when no price list is read. */
  readonly priceList: string | undefined
  readonly telemetry: string | null
  readonly sendsTraces: boolean
}

import type { OidcSimulator } from './oidc-simulator.ts'
import type { SearchEngines } from './search-engines.ts'
import type { WebhookSink } from './webhook-sink.ts'

/** The parties besides AWS that a gateway talks to. */
export type Neighbours = {
  readonly webhooks: WebhookSink
  readonly searches: SearchEngines
  readonly oidc: OidcSimulator
  reset(): void
}

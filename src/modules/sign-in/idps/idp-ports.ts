/** What the routes of identity providers need from the rest of the gateway. */
import type { RoutePorts } from '../../../foundation/http/write-change.ts'
import type { FetchJson } from '../../../foundation/platform/outgoing-http.ts'
import type { SecretPorts } from '../../../foundation/platform/secret-box.ts'

export interface IdpPorts extends RoutePorts, SecretPorts {
  /** Undefined when the gateway may call the URL, else why not. */
  readonly checkUrl: (url: string) => string | undefined
  readonly fetchJson: FetchJson
}

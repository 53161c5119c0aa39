/** What the routes of web search need from the rest of the gateway. */
import type { Settings } from '../../foundation/domain/settings.ts'
import type { RunSearch } from '../../foundation/domain/web-search.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import type { SecretPorts } from '../../foundation/platform/secret-box.ts'

export interface WebSearchPorts extends RoutePorts, SecretPorts {
  readonly search: RunSearch
  /** What a setting is while nobody has stored it; the environment decides some. */
  readonly settingDefaults: Settings
  /** Undefined when the gateway may call the URL, else why not. */
  readonly checkUrl: (url: string) => string | undefined
  /** The same for an address that a person sets for themselves alone. */
  readonly checkOwnUrl: (url: string) => string | undefined
}

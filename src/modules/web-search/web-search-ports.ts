/** What the routes of web search need from the rest of the gateway. */
import type { Database } from '../../foundation/database/database.ts'
import type { WebSearchMode } from '../../foundation/domain/settings.ts'
import type { RunSearch } from '../../foundation/domain/web-search.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import type { SecretPorts } from '../../foundation/platform/secret-box.ts'

/** The mode is a runtime setting, which the module of settings stores. */
export type ModeSetting = (db: Database['kysely']) => {
  readonly read: () => Promise<WebSearchMode>
  readonly put: (mode: WebSearchMode, updatedBy: string) => Promise<void>
}

export interface WebSearchPorts extends RoutePorts, SecretPorts {
  readonly search: RunSearch
  readonly modeSetting: ModeSetting
  /** Undefined when the gateway may call the URL, else why not. */
  readonly checkUrl: (url: string) => string | undefined
  /** The same for an address that a person sets for themselves alone. */
  readonly checkOwnUrl: (url: string) => string | undefined
}

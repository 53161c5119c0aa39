/** What the routes of settings need from the rest of the gateway. */
import type { Settings } from '../../foundation/domain/settings.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'

export interface SettingPorts extends RoutePorts {
  /** What a setting is while nobody has stored it; the environment decides some. */
  readonly settingDefaults: Settings
}

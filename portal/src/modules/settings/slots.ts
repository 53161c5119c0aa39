/** Places on the page of this module that extensions fill. */
import type { Slot } from '../../app/slot.tsx'

interface SettingsTab {
  readonly id: string
  readonly label: string
}

export const settingsTabs: Slot<object, SettingsTab> = { name: 'tabs of the settings' }

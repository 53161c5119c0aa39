/** Places on the pages of this module that extensions fill. */
import type { Slot } from '../../app/slot.tsx'

interface TeamTab {
  readonly id: string
  readonly label: string
}

/** Parts of a team that administrators see. */
export const teamTabs: Slot<{ readonly team: { readonly id: string; readonly name: string } }, TeamTab> = {
  name: 'tabs of a team',
}

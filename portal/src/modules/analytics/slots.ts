/** Places on the pages of this module that extensions fill. */
import type { Grant } from '../../app/rights.ts'
import type { Slot } from '../../app/slot.tsx'
import type { Filter } from './reports/analytics-filter.ts'

/** Beside the title of every page whose view is in its address. */
export const viewActions: Slot<object> = { name: 'actions for a view' }

/** Below the spend of the range. */
export const spendCards: Slot<{ readonly filter: Filter }> = { name: 'cards below the spend' }

interface ReportTab {
  readonly id: string
  readonly label: string
  /** Stands under the title of the page: neither the range nor the filters are about such a tab. */
  readonly lead: string
  /** Who may see it, beside administrators. */
  readonly grant: Grant
}

/** Tabs of the reports that have a subject of their own. */
export const reportTabs: Slot<object, ReportTab> = { name: 'tabs of the reports' }

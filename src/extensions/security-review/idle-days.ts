/** After how many quiet days something counts as unused. */

/** Longer than a holiday. */
export const UNUSED_DAYS = 90
/** The client's own sign-in renews itself for 30 days: half of them without a call. */
export const IDLE_DAYS = 14

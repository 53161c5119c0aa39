/** Which hour of the endpoints is shown: the last one, or the one around a moment. */
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** An alert names the moment it fired; what came right after it belongs to the picture. */
const AFTER_MS = 15 * MINUTE_MS

/** Whole minutes, so that the squares of two looks at the same hour stand at the same place. */
export function decideHour(
  atMs: number | undefined,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  const wantedMs = atMs === undefined ? nowMs : Math.min(nowMs, atMs + AFTER_MS)
  const toMs = Math.ceil(wantedMs / MINUTE_MS) * MINUTE_MS
  return { fromMs: toMs - HOUR_MS, toMs }
}

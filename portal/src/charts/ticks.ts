/** Which points of a chart carry a label at its lower edge. */

/** Room for the longest label and some air. */
const TICK_WIDTH = 84

/** Always as many points apart, or the eye reads a week where eight days are; counted from the last, which is the one that is looked for. */
export function tickIndexes(length: number, width: number): number[] {
  const most = Math.max(2, Math.floor(width / TICK_WIDTH))
  const step = Math.max(1, Math.ceil((length - 1) / (most - 1)))
  const count = length === 0 ? 0 : Math.floor((length - 1) / step) + 1
  return Array.from({ length: count }, (_, place) => length - 1 - (count - 1 - place) * step)
}

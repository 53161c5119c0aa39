/**
 * Has short-lived buffers collected while they are young. Their memory lies outside the heap, so it is not what makes the
 * collector look at young objects; it adds up until a collection of the whole heap, which costs a hundred times as much.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Rarer lets buffers of slow calls grow old in between; more often pays for nothing. */
const COLLECT_EVERY_BYTES = 16 * 1024 * 1024

type CollectGarbage = (options: { readonly type: 'minor' }) => void

let collect: CollectGarbage | undefined
let sinceLastBytes = 0

/** To be told by whoever allocates large buffers for the length of a call. */
export function noteYoungBuffer(bytes: number): void {
  sinceLastBytes += bytes
  if (sinceLastBytes < COLLECT_EVERY_BYTES) return
  sinceLastBytes = 0
  collect ??= findCollector()
  collect({ type: 'minor' })
}

/** Only a context that is made while the flag is set gets the function, so nothing else in the process can call it. */
function findCollector(): CollectGarbage {
  setFlagsFromString('--expose-gc')
  const found: unknown = runInNewContext('globalThis.gc')
  setFlagsFromString('--no-expose-gc')
  return typeof found === 'function' ? (found as CollectGarbage) : () => {}
}

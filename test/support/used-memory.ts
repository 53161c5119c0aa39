/** Memory that is in use, without what waits to be collected: how much of that there is depends on what ran before. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export function usedMemory(): NodeJS.MemoryUsage {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  // Buffers are given back beside the program, after the collection that found them; the next one waits for that.
  collect()
  return process.memoryUsage()
}

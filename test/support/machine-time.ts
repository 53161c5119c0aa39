/** Time as this machine had it: what a hypervisor gave to others in between is nobody's waiting. */
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'

const FILE = '/proc/stat'
const TICK_MS = 10
/** `cpu user nice system idle iowait irq softirq steal …` */
const STEAL_FIELD = 8

/** Milliseconds, comparable with each other only; runs slower than the clock while the machine is taken away. */
export function machineMs(): number {
  return performance.now() - stolenMs()
}

function stolenMs(): number {
  if (!existsSync(FILE)) return 0
  const ofAll = Number(readFileSync(FILE, 'latin1').split('\n', 1)[0]?.split(/\s+/)[STEAL_FIELD] ?? 0)
  return (ofAll * TICK_MS) / availableParallelism()
}

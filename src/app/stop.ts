/** The end of a gateway, in order: requests, background jobs, unstored spend, modules, connections. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningLoops } from '../foundation/platform/loops.ts'
import type { Gateway } from './assemble.ts'
import type { Ending } from './listening.ts'

const END_WAIT_MS = 1_500

/** A database that hangs must not hold up the end: what is left undone here, other instances or the next start do. */
function briefly(work: Promise<unknown> | undefined): Promise<unknown> {
  return Promise.race([work, sleep(END_WAIT_MS, undefined, { ref: false })])
}

export async function stop(gateway: Gateway, ending: Ending, loops: RunningLoops | undefined): Promise<void> {
  const { core, modules, messagePath, all } = gateway
  modules.operations.endStreams()
  await ending.finish()
  await briefly(loops?.stop())
  // While budgets are still open: they follow what is stored.
  await modules.spend.settle()
  messagePath.close()
  for (const { stop: end } of [...all].reverse()) await briefly(end?.())
  await Promise.all([core.telemetry.shutdown(), core.outgoing.close(), core.ownHttp.close(), core.link.close()])
  core.log.info('stopped')
}

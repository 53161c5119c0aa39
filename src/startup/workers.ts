/** Several processes on one port: starts them, replaces one that dies, and passes the end on to all. */
import cluster from 'node:cluster'
import type { Logger } from '../platform/logger.ts'
import { passScrapes } from '../platform/worker-scrape.ts'

const RESTART_DELAY_MS = 1_000

export function superviseWorkers(count: number, log: Logger): void {
  let stopping = false
  passScrapes()
  for (let started = 0; started < count; started += 1) cluster.fork()
  cluster.on('exit', (worker, code, signal) => {
    if (stopping) return
    log.error({ worker: worker.id, code, signal }, 'a worker ended; another takes its place')
    setTimeout(() => {
      if (!stopping) cluster.fork()
    }, RESTART_DELAY_MS)
  })
  const stop = (signal: NodeJS.Signals): void => {
    stopping = true
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal)
  }
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGTERM'))
}

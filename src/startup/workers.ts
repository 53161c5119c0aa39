/** Several processes on one port: starts them, replaces one that dies, and passes the end on to all. */
import cluster from 'node:cluster'
import type { Logger } from '../platform/logger.ts'
import { passScrapes } from '../platform/worker-scrape.ts'
import type { ProcessEnd } from './process-end.ts'

/** What the primary says to its workers. */
type Order = { readonly kind: 'stop'; readonly signal: string } | { readonly kind: 'hurry' }

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
    orderAll(stopping ? { kind: 'hurry' } : { kind: 'stop', signal })
    stopping = true
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/**
 * By message, not by signal: terminals and service managers signal every process of a group, and a worker could not tell
 * the primary's copy from a second signal.
 */
function orderAll(order: Order): void {
  // A worker may end meanwhile; its exit is dealt with elsewhere.
  for (const worker of Object.values(cluster.workers ?? {})) worker?.send(order, () => {})
}

/** In a worker, before its start: an order may come at any time. In a process of its own nothing. */
export function heedPrimary(end: ProcessEnd): void {
  if (!cluster.isWorker) return
  process.on('message', (message: unknown) => {
    if (isOrder(message, 'stop')) end.stop(message.signal)
    if (isOrder(message, 'hurry')) end.hurry()
  })
}

function isOrder<K extends Order['kind']>(message: unknown, kind: K): message is Extract<Order, { kind: K }> {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === kind
}

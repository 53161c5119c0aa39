/** Several processes on one port: starts them, replaces one that dies, and passes the end on to all. */
import cluster from 'node:cluster'
import type { Logger } from '../platform/logger.ts'
import { passScrapes } from '../platform/worker-scrape.ts'
import type { ProcessEnd } from './process-end.ts'
import type { ListenForStop } from './stop-signals.ts'

/** What the primary says to its workers. */
type Order = { readonly kind: 'stop'; readonly signal: NodeJS.Signals } | { readonly kind: 'hurry' }

/** What a worker says to the primary: it takes calls. */
interface Report {
  readonly kind: 'ready'
}

type Message = Order | Report

const RESTART_DELAY_MS = 1_000

export function superviseWorkers(count: number, log: Logger, listenForStop: ListenForStop): void {
  let stopping = false
  let everReady = false
  passScrapes()
  for (let started = 0; started < count; started += 1) cluster.fork()
  cluster.on('message', (_worker, message: unknown) => {
    if (isMessage(message, 'ready')) everReady = true
  })
  const stop = (signal: NodeJS.Signals): void => {
    orderAll(stopping ? { kind: 'hurry' } : { kind: 'stop', signal })
    stopping = true
  }
  cluster.on('exit', (worker, code, signal) => {
    if (stopping) return
    if (!everReady && code !== 0) {
      // Another try would most likely fail too, and whoever started the gateway must see that it did.
      log.fatal({ worker: worker.id, code, signal }, 'a worker could not start, so the gateway ends')
      // A worker that a signal ended has no code, whatever the type says.
      process.exitCode = code ?? 1
      stop('SIGTERM')
      orderAll({ kind: 'hurry' })
      return
    }
    log.error({ worker: worker.id, code, signal }, 'a worker ended; another takes its place')
    setTimeout(() => {
      if (!stopping) cluster.fork()
    }, RESTART_DELAY_MS)
  })
  listenForStop(stop)
}

/**
 * By message, not by signal: terminals and service managers signal every process of a group, and a worker could not tell
 * the primary's copy from a second signal.
 */
function orderAll(order: Order): void {
  // A worker may end meanwhile; its exit is dealt with elsewhere.
  for (const worker of Object.values(cluster.workers ?? {})) worker?.send(order, () => {})
}

/** In a worker, before its start: an order may come at any time. In a process of its own it does nothing. */
export function heedPrimary(end: ProcessEnd): void {
  if (!cluster.isWorker) return
  process.on('message', (message: unknown) => {
    if (isMessage(message, 'stop')) end.stop(message.signal)
    if (isMessage(message, 'hurry')) end.hurry()
  })
}

export function reportReady(): void {
  const report: Report = { kind: 'ready' }
  if (cluster.isWorker) process.send?.(report, undefined, undefined, () => {})
}

function isMessage<K extends Message['kind']>(value: unknown, kind: K): value is Extract<Message, { kind: K }> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind
}

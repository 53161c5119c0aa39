/** Several processes on one port: starts them, replaces one that dies, and passes the end on to all. */
import cluster from 'node:cluster'
import type { Logger } from '../../foundation/platform/logger.ts'
import { closeHandedOverOnExit } from './handed-over.ts'
import type { ProcessEnd } from './process-end.ts'
import type { ListenForStop } from './stop-signals.ts'
import { passScrapes } from './worker-scrape.ts'

/** What the primary says to its workers; the first word is one of the last two. */
type Order =
  | { readonly kind: 'stop'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'hurry' }
  /** Nobody else serves. */
  | { readonly kind: 'listen' }
  | { readonly kind: 'prepare' }

/** What a worker says to the primary: it takes calls. */
interface Report {
  readonly kind: 'ready'
}

type Message = Order | Report

const RESTART_DELAY_MS = 1_000
const LONGEST_RESTART_DELAY_MS = 30_000

export function superviseWorkers(count: number, log: Logger, listenForStop: ListenForStop): void {
  let stopping = false
  let everReady = false
  const serving = new Set<number>()
  /** Workers in a row that ended before they were ready. */
  let failedStarts = 0
  passScrapes()
  const start = (): void => {
    const worker = cluster.fork()
    closeHandedOverOnExit(worker)
    worker.send({ kind: serving.size === 0 ? 'listen' : 'prepare' } satisfies Order, () => {})
  }
  for (let started = 0; started < count; started += 1) start()
  cluster.on('message', (worker, message: unknown) => {
    if (!isMessage(message, 'ready')) return
    everReady = true
    failedStarts = 0
    serving.add(worker.id)
  })
  const stop = (signal: NodeJS.Signals): void => {
    orderAll(stopping ? { kind: 'hurry' } : { kind: 'stop', signal })
    stopping = true
  }
  cluster.on('exit', (worker, code, signal) => {
    failedStarts = serving.delete(worker.id) ? 0 : failedStarts + 1
    if (stopping) return
    if (serving.size === 0) orderAll({ kind: 'listen' })
    if (!everReady && code !== 0) {
      // Another try would most likely fail too, and whoever started the gateway must see that it did.
      log.fatal({ worker: worker.id, code, signal }, 'a worker could not start, so the gateway ends')
      // A worker that a signal ended has no code, whatever the type says.
      process.exitCode = code ?? 1
      stop('SIGTERM')
      orderAll({ kind: 'hurry' })
      return
    }
    // A start takes a processor for seconds, which those who serve are short of; where nobody does, it is the way back.
    const pauseMs =
      serving.size === 0 ? RESTART_DELAY_MS : Math.min(RESTART_DELAY_MS * 2 ** failedStarts, LONGEST_RESTART_DELAY_MS)
    const what = { worker: worker.id, code, signal, pause_seconds: pauseMs / 1_000 }
    log.error(what, 'a worker ended; another takes its place')
    setTimeout(() => {
      if (!stopping) start()
    }, pauseMs)
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

/**
 * In a worker that takes the place of another: kept when nobody else serves any more. Undefined for a worker that opens the
 * port at once, as a process of its own does.
 */
export async function findOthersGone(): Promise<{ readonly othersGone?: Promise<void> }> {
  if (!cluster.isWorker) return {}
  const told = Promise.withResolvers<void>()
  const first = await new Promise<Order['kind']>((resolve) => {
    process.on('message', (message: unknown) => {
      if (isMessage(message, 'prepare')) resolve('prepare')
      if (!isMessage(message, 'listen')) return
      resolve('listen')
      told.resolve()
    })
  })
  return first === 'listen' ? {} : { othersGone: told.promise }
}

export function reportReady(): void {
  const report: Report = { kind: 'ready' }
  if (cluster.isWorker) process.send?.(report, undefined, undefined, () => {})
}

function isMessage<K extends Message['kind']>(value: unknown, kind: K): value is Extract<Message, { kind: K }> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind
}

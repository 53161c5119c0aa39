/**
 * One scrape for several workers. They share a port, so a scrape reaches any of them: it asks the others through the
 * primary process, and each worker's series carry its number.
 * Our own, because the text of a worker is joined with the others as it is, line by line.
 */
import cluster, { type Worker } from 'node:cluster'
import { newId } from '../../foundation/platform/ids.ts'

interface Part {
  readonly worker: number
  readonly text: string
}

type Message =
  /** A worker wants to know the figures of all. */
  | { readonly kind: 'scrape-all'; readonly id: string }
  /** The primary asks one worker. */
  | { readonly kind: 'scrape-one'; readonly id: string }
  | { readonly kind: 'scraped-one'; readonly id: string; readonly text: string }
  /** The primary answers. */
  | { readonly kind: 'scraped-all'; readonly id: string; readonly parts: readonly Part[] }

/** A worker that does not answer in time is left out; the figures of the others are worth having. */
const PATIENCE_MS = 1_000

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'kind' in value && String(value.kind).startsWith('scrape')
}

/** In the primary: passes questions and answers between the workers. */
export function passScrapes(): void {
  const open = new Map<string, (part: Part) => void>()
  const askAll = (asking: Worker, id: string): void => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true)
    const parts: Part[] = []
    const finish = (): void => {
      clearTimeout(timer)
      if (open.delete(id) && asking.isConnected())
        send(asking, { kind: 'scraped-all', id, parts: parts.sort((left, right) => left.worker - right.worker) })
    }
    const timer = setTimeout(finish, PATIENCE_MS)
    open.set(id, (part) => {
      parts.push(part)
      if (parts.length === workers.length) finish()
    })
    for (const worker of workers) if (worker !== undefined) send(worker, { kind: 'scrape-one', id })
  }
  cluster.on('message', (worker, message: unknown) => {
    if (!isMessage(message)) return
    if (message.kind === 'scrape-all') askAll(worker, message.id)
    if (message.kind === 'scraped-one') open.get(message.id)?.({ worker: worker.id, text: message.text })
  })
}

function send(worker: Worker, message: Message): void {
  // A worker may end between the check and the sending; its exit is dealt with elsewhere.
  worker.send(message, () => {})
}

/** In a worker: the figures of all workers. In a process of its own: `own` itself. */
export function scrapeOfAll(own: () => Promise<string>): () => Promise<string> {
  if (!cluster.isWorker) return own
  const waiting = new Map<string, (parts: readonly Part[]) => void>()
  const tell = (message: Message): void => void process.send?.(message, undefined, undefined, () => {})
  process.on('message', (message: unknown) => {
    if (!isMessage(message)) return
    if (message.kind === 'scraped-all') waiting.get(message.id)?.(message.parts)
    if (message.kind === 'scrape-one') {
      const { id } = message
      // failure-modes: metric unreadable. The others answer without this worker.
      own().then(
        (text) => tell({ kind: 'scraped-one', id, text }),
        () => {},
      )
    }
  })
  return async () => {
    const id = newId()
    const { promise, resolve } = Promise.withResolvers<readonly Part[]>()
    waiting.set(id, resolve)
    const timer = setTimeout(() => resolve([]), 2 * PATIENCE_MS)
    tell({ kind: 'scrape-all', id })
    const parts = await promise
    clearTimeout(timer)
    waiting.delete(id)
    return mergeScrapes(parts.length > 0 ? parts : [{ worker: cluster.worker?.id ?? 0, text: await own() }])
  }
}

/** Samples of one family must stand together, so the texts are joined family by family. */
export function mergeScrapes(parts: readonly Part[]): string {
  const families = new Map<string, { readonly head: string[]; readonly samples: string[] }>()
  for (const { worker, text } of parts) {
    let name = ''
    for (const line of text.split('\n')) {
      if (line === '') continue
      const [, kind, family = ''] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? []
      if (kind !== undefined) name = family
      const known = families.get(name) ?? { head: [], samples: [] }
      families.set(name, known)
      if (kind === undefined) known.samples.push(withWorker(line, worker))
      else if (!known.head.includes(line)) known.head.push(line)
    }
  }
  return [...families.values()].flatMap(({ head, samples }) => [...head, ...samples, '']).join('\n')
}

function withWorker(sample: string, worker: number): string {
  const end = sample.search(/[{ ]/)
  const name = sample.slice(0, end)
  return sample[end] === '{'
    ? `${name}{worker="${worker}",${sample.slice(end + 1)}`
    : `${name}{worker="${worker}"}${sample.slice(end)}`
}

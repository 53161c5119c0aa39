/** Connections that the primary hands to a worker, and that nobody would ever close when it dies before it takes them. */
import type { ChildProcess } from 'node:child_process'
import type { Worker } from 'node:cluster'

interface Connection {
  readonly close: () => void
}

/**
 * The primary keeps a connection open until its worker has taken it, and hears nothing from one that died: the client would
 * wait for as long as it can. Node hands over one at a time for each port, so the last one is the only one that can be lost.
 *
 * Workers that take connections themselves (`SCHED_NONE`) lose none, but share them badly: of 200 opened at once, three
 * workers of eight got all.
 */
export function closeHandedOverOnExit(worker: Worker): void {
  const lastByPort = new Map<unknown, Connection>()
  const send = worker.process.send.bind(worker.process) as (...parts: readonly unknown[]) => boolean
  worker.process.send = ((message: unknown, handle: unknown, ...rest: readonly unknown[]) => {
    if (isHandover(message) && isConnection(handle)) lastByPort.set(message.key, handle)
    return send(message, handle, ...rest)
  }) as ChildProcess['send']
  worker.once('exit', () => {
    // One that was taken is closed here already, and closing it again does nothing.
    for (const connection of lastByPort.values()) connection.close()
  })
}

function isHandover(message: unknown): message is { readonly key: unknown } {
  return (
    typeof message === 'object' && message !== null && 'act' in message && message.act === 'newconn' && 'key' in message
  )
}

function isConnection(handle: unknown): handle is Connection {
  return typeof handle === 'object' && handle !== null && 'close' in handle && typeof handle.close === 'function'
}

import type { ServerResponse } from 'node:http'

/** HTTP/2 responses keep this on their stream. */
export function isGone(response: ServerResponse & { readonly stream?: { readonly destroyed: boolean } }): boolean {
  return response.destroyed || response.stream?.destroyed === true
}

/** RST instead of FIN: what a caller sees when a load balancer drops a connection. */
export function resetConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy()
}

export function closeConnection(response: ServerResponse): void {
  response.socket?.destroy()
}

/** Resolves once the bytes are handed to the kernel, or at once when the peer is gone. */
export function writeAll(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (isGone(response) || response.writableEnded) return resolve()
    const done = (): void => {
      response.off('close', done)
      resolve()
    }
    response.once('close', done)
    response.write(bytes, done)
  })
}

/** Waits, but not longer than the peer stays. */
export function waitWhileOpen(response: ServerResponse, ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (isGone(response)) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      response.off('close', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    response.once('close', done)
  })
}

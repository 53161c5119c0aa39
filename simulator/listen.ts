import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Listening = { readonly url: string; readonly port: number; close(): Promise<void> }

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void

/**
 * No time limits of its own: only scripts end a connection, and idle ones never close under a caller's pool.
 * Starts a server whose connections end with it: a test that stops the simulator must not wait for idle sockets.
 */
export async function listen(host: string, port: number, serve: Serve): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 }, (request, response) => {
    void serveSafely(serve, request, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  const shownHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return { url: `http://${shownHost}:${address.port}`, port: address.port, close: () => closeServer(server) }
}

async function serveSafely(serve: Serve, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await serve(request, response)
  } catch (error) {
    // A peer that leaves while its request is read is part of the tests, not a fault.
    if (!request.destroyed && !response.destroyed) {
      console.error(error)
      response.destroy()
    }
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { isGone } from './connection.ts'

export type Listening = { readonly url: string; readonly port: number; close(): Promise<void> }

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void

/**
 * Speaks HTTP/1.1 and HTTP/2 without TLS on one port: which of the two a caller's client prefers is not ours to say.
 * There are no time limits, so that only scripts end a connection, and closing ends the idle ones too.
 */
export async function listen(host: string, port: number, serve: Serve): Promise<Listening> {
  const http1 = createServer({ keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 }, (request, response) => {
    void serveSafely(serve, request, response)
  })
  const http2 = createHttp2Server((request, response) => {
    request.headers.host ??= request.headers[':authority']
    // The compatibility classes have what is used of the HTTP/1.1 ones; their types are only declared apart.
    void serveSafely(serve, request as unknown as IncomingMessage, response as unknown as ServerResponse)
  })
  http2.on('sessionError', () => {})
  const sockets = new Set<Socket>()
  const server = createTcpServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.once('readable', () => {
      const opening: Buffer | null = socket.read()
      if (opening === null) return socket.end()
      socket.unshift(opening)
      const isHttp2 = opening.subarray(0, 3).toString('latin1') === 'PRI'
      ;(isHttp2 ? http2 : http1).emit('connection', socket)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  const shownHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return {
    url: `http://${shownHost}:${address.port}`,
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

async function serveSafely(serve: Serve, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await serve(request, response)
  } catch (error) {
    // A peer that leaves while its request is read is part of the tests, not a fault.
    if (!request.destroyed && !isGone(response)) {
      console.error(error)
      response.destroy()
    }
  }
}

/** Speaks just enough of the Postgres protocol to show how we connect: TLS, password, version. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

export interface FakePostgresOptions {
  readonly versionNumber: number
  readonly versionText: string
  readonly tls?: { readonly key: string; readonly cert: string }
  readonly asksPassword?: boolean
  /** As PgBouncer does by default. */
  readonly refusesParameter?: string
}

export interface FakePostgres {
  readonly port: number
  /** Passwords as they came, and whether TLS protected them. */
  readonly passwords: readonly { readonly password: string; readonly overTls: boolean }[]
  readonly stop: () => Promise<void>
}

const SSL_REQUEST = 80_877_103

export async function startFakePostgres(options: FakePostgresOptions): Promise<FakePostgres> {
  const passwords: { password: string; overTls: boolean }[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', (first: Buffer) => {
      if (first.readInt32BE(4) !== SSL_REQUEST) return converse(socket, first)
      socket.write(options.tls === undefined ? 'N' : 'S')
      if (options.tls === undefined) return socket.once('data', (startup: Buffer) => converse(socket, startup))
      const secure = new TLSSocket(socket, { isServer: true, ...options.tls })
      secure.on('error', () => undefined)
      secure.once('data', (startup: Buffer) => converse(secure, startup))
    })
  })

  const converse = (socket: Socket, startup: Buffer): void => {
    const refused = options.refusesParameter
    if (refused !== undefined && startup.includes(refused))
      return void socket.end(
        message('E', Buffer.from(`SFATAL\0C08P01\0Munsupported startup parameter: ${refused}\0\0`)),
      )
    const ready = (): boolean => socket.write(Buffer.concat([message('R', int32(0)), message('Z', Buffer.from('I'))]))
    if (options.asksPassword) socket.write(message('R', int32(3)))
    else ready()
    socket.on('data', (data: Buffer) => {
      const kind = String.fromCharCode(data[0] ?? 0)
      if (kind === 'p') {
        passwords.push({ password: data.toString('utf8', 5, data.length - 1), overTls: socket instanceof TLSSocket })
        ready()
      } else if (kind === 'Q') socket.write(answer([String(options.versionNumber), options.versionText]))
      else if (kind === 'X') socket.end()
    })
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    passwords,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function message(kind: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(kind), int32(body.length + 4), body])
}

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32BE(value)
  return buffer
}

function int16(value: number): Buffer {
  return int32(value).subarray(2)
}

function answer(values: readonly string[]): Buffer {
  const columns = ['number', 'text'].map((name) =>
    Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)]),
  )
  const cells = values.flatMap((value) => [int32(Buffer.byteLength(value)), Buffer.from(value)])
  return Buffer.concat([
    message('T', Buffer.concat([int16(columns.length), ...columns])),
    message('D', Buffer.concat([int16(values.length), ...cells])),
    message('C', Buffer.from('SELECT 1\0')),
    message('Z', Buffer.from('I')),
  ])
}

/** Sends exactly these bytes and gives back what came, so that tests can say what no HTTP client would. */
import net from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
  readonly closed: boolean
}

export function sendRaw(
  port: number,
  bytes: string | Buffer,
  options: { readonly waitMs?: number } = {},
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes))
    let received = ''
    const finish = (closed: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      const [head = '', ...rest] = received.split('\r\n\r\n')
      resolve({ status: Number(head.split(' ')[1] ?? 0), head, body: rest.join('\r\n\r\n'), closed })
    }
    const timer = setTimeout(() => finish(false), options.waitMs ?? 5_000)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      const length = /content-length: (\d+)/i.exec(received)?.[1]
      const bodyStart = received.indexOf('\r\n\r\n')
      if (bodyStart >= 0 && length !== undefined && received.length >= bodyStart + 4 + Number(length)) finish(false)
    })
    socket.on('close', () => finish(true))
    socket.on('error', () => finish(true))
  })
}

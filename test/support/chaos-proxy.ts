/** A TCP proxy that can refuse, hang, cut or be slow, to put between the gateway and what it depends on. */
import net from 'node:net'

export type ChaosMode = 'pass' | 'refuse' | 'hang'

export interface ChaosProxy {
  /** The same address through the proxy. */
  readonly url: string
  /** Also for connections that are open: `refuse` cuts them, `hang` stops both directions without closing. */
  readonly set: (mode: ChaosMode) => void
  /** Every answer takes so much longer from now on. */
  readonly delayAnswers: (delayMs: number) => void
  /**
   * The next statement with this text gets through, and so is done; its answer does not, and the connection ends.
   * Nobody can tell from outside whether it was done.
   */
  readonly swallowNextAnswerTo: (text: string) => void
  readonly swallowed: () => number
  readonly connections: () => number
  /** Connections that anybody has asked for so far. */
  readonly asked: () => number
  readonly close: () => Promise<void>
}

/** In front of the server that the address names, such as that of a database. */
export async function startChaosProxy(targetUrl: string): Promise<ChaosProxy> {
  const target = new URL(targetUrl)
  let mode: ChaosMode = 'pass'
  let swallowing: string | undefined
  let swallowed = 0
  let answerDelayMs = 0
  let asked = 0
  const pairs = new Set<readonly [net.Socket, net.Socket]>()
  const server = net.createServer((client) => {
    asked += 1
    if (mode === 'refuse') {
      client.resetAndDestroy()
      return
    }
    const upstream = net.connect(Number(target.port), target.hostname)
    const pair = [client, upstream] as const
    pairs.add(pair)
    let isDeaf = false
    let lastAnswerMs = 0
    const answerLater = (chunk: string | Uint8Array): void => {
      // In order also when the delay has just become shorter.
      lastAnswerMs = Math.max(lastAnswerMs, performance.now() + answerDelayMs)
      setTimeout(() => client.write(chunk), Math.max(0, lastAnswerMs - performance.now()))
    }
    for (const [one, other] of [pair, [upstream, client] as const]) {
      one.on('data', (chunk) => {
        if (mode === 'hang') return
        if (one === upstream && isDeaf) {
          // The answer itself shows that the statement is done; now it is lost.
          swallowed += 1
          client.resetAndDestroy()
          return
        }
        if (one === client && swallowing !== undefined && chunk.includes(swallowing)) {
          swallowing = undefined
          isDeaf = true
        }
        if (one === upstream && lastAnswerMs + answerDelayMs > 0) answerLater(chunk)
        else other.write(chunk)
      })
      one.on('error', () => {})
      one.on('close', () => {
        pairs.delete(pair)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(targetUrl)
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as net.AddressInfo).port)
  return {
    url: through.href,
    delayAnswers: (delayMs) => {
      answerDelayMs = delayMs
    },
    connections: () => pairs.size,
    asked: () => asked,
    swallowed: () => swallowed,
    swallowNextAnswerTo: (text) => {
      swallowing = text
    },
    set: (next) => {
      mode = next
      // Bytes that were swallowed while hanging are gone, so such connections cannot go on.
      if (next !== 'hang')
        for (const [client, upstream] of pairs) if (next === 'refuse') [client, upstream].map((s) => s.destroy())
    },
    close: () =>
      new Promise((resolve) => {
        for (const [client, upstream] of pairs) for (const socket of [client, upstream]) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

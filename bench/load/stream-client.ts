/** A lean client on raw sockets: it finds the end of an answer without looking at what is in it. */
import { connect, type Socket } from 'node:net'

export interface LoopResult {
  readonly completed: number
  readonly bytes: number
  /** From the last byte of the request to the first of the answer. */
  readonly firstByteMs: readonly number[]
}

export interface LoopOptions {
  readonly connections: number
  readonly seconds: number
  /** Connections begin one after the other within this time, so that they do not move in step. */
  readonly spreadMs?: number
  /** No more than these, also when there is time for more. */
  readonly calls?: number
  /** Answers that begin before this are not in `firstByteMs`. */
  readonly ignoreFirstMs?: number
}

/** Every connection sends its next request when its answer is complete, until time is up. */
export async function closedLoop(port: number, requests: readonly Buffer[], options: LoopOptions): Promise<LoopResult> {
  const startedMs = performance.now()
  const endMs = startedMs + options.seconds * 1000
  const countFromMs = startedMs + (options.ignoreFirstMs ?? 0)
  const firstByteMs: number[] = []
  let completed = 0
  let bytes = 0
  let turn = 0
  let asked = 0
  const { calls = Number.POSITIVE_INFINITY } = options
  const loops = Array.from({ length: options.connections }, async (_, index) => {
    const delayMs = ((options.spreadMs ?? 0) * index) / options.connections
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    const connection = await openConnection(port)
    while (performance.now() < endMs && asked < calls) {
      asked += 1
      turn = (turn + 1) % requests.length
      const counts = performance.now() >= countFromMs
      const bytesOfAnswer = await connection.ask(requests[turn] as Buffer, endMs, (ms) => {
        if (counts) firstByteMs.push(ms)
      })
      if (bytesOfAnswer === undefined) break
      completed += 1
      bytes += bytesOfAnswer
    }
    connection.close()
  })
  await Promise.all(loops)
  return { completed, bytes, firstByteMs }
}

export interface OpenStreams {
  readonly bytes: () => number
  readonly closed: () => number
  readonly close: () => void
}

/** Opens streams that stay open; resolves when each has its first byte. At most 64 are on their way at once. */
export async function openStreams(port: number, requests: readonly Buffer[], count: number): Promise<OpenStreams> {
  const sockets: Socket[] = []
  let bytes = 0
  let closed = 0
  let next = 0
  const openOne = (request: Buffer): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => void socket.write(request))
      socket.setNoDelay(true)
      sockets.push(socket)
      let head = ''
      socket.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (head.length > 0) return
        head = chunk.toString('latin1', 0, 12)
        if (head === 'HTTP/1.1 200') resolve()
        else reject(new Error(`a stream was refused: ${chunk.toString('latin1', 0, 300)}`))
      })
      socket.once('close', () => {
        closed += 1
      })
      socket.once('error', reject)
    })
  const worker = async (): Promise<void> => {
    while (next < count) {
      const request = requests[next % requests.length] as Buffer
      next += 1
      await openOne(request)
    }
  }
  await Promise.all(Array.from({ length: Math.min(64, count) }, worker))
  return {
    bytes: () => bytes,
    closed: () => closed,
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

interface Connection {
  /** The bytes of the answer; undefined when time was up before it was complete. */
  readonly ask: (request: Buffer, endMs: number, onFirstByte: (ms: number) => void) => Promise<number | undefined>
  readonly close: () => void
}

const LAST_CHUNK = '0\r\n\r\n'

async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  let onBytes: (bytes: Buffer) => void = () => {}
  let onClosed: () => void = () => {}
  socket.on('data', (bytes: Buffer) => onBytes(bytes))
  socket.on('error', () => socket.destroy())
  socket.on('close', () => onClosed())
  return {
    close: () => socket.destroy(),
    ask: (request, endMs, onFirstByte) =>
      new Promise((resolve, reject) => {
        const askedMs = performance.now()
        let bytes = 0
        let tail = ''
        let missing = -1
        const late = setTimeout(() => resolve(undefined), Math.max(0, endMs - askedMs))
        const finish = (): void => {
          clearTimeout(late)
          resolve(bytes)
        }
        onClosed = () => reject(new Error('the connection was closed inside an answer'))
        onBytes = (chunk) => {
          const isFirst = bytes === 0
          bytes += chunk.length
          if (isFirst) {
            onFirstByte(performance.now() - askedMs)
            const head = chunk.toString('latin1', 0, Math.min(chunk.length, 2_000))
            if (!head.startsWith('HTTP/1.1 200')) reject(new Error(`an answer was refused: ${head}`))
            const length = /\r\ncontent-length: *(\d+)/i.exec(head)
            if (length !== null) missing = Number(length[1]) + head.indexOf('\r\n\r\n') + 4
          }
          if (missing >= 0) {
            if (bytes >= missing) finish()
            return
          }
          const end = chunk.toString('latin1', Math.max(0, chunk.length - 5), chunk.length)
          tail = (tail + end).slice(-5)
          if (tail === LAST_CHUNK) finish()
        }
        socket.write(request)
      }),
  }
}

/**
 * Finds ports on the loopback address that nobody uses.
 * Our own, because a port is asked for in two ways before it counts as free.
 */
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'

const LOOPBACK = '127.0.0.1'
const LAST_PORT = 65_535
const CONNECT_WAIT_MS = 500

/** The first free port from `first` on that is not in `taken`. */
export async function findPort(first: number, taken: ReadonlySet<number> = new Set()): Promise<number> {
  for (let port = first; port <= LAST_PORT; port++) if (!taken.has(port) && (await isFree(port))) return port
  throw new Error(`There is no free port from ${first} on. Stop a program that holds one, or choose a lower number.`)
}

/**
 * Asked in two ways: on some systems a port can be bound on the loopback address although another program holds it on
 * all addresses, and then nobody knows who gets the calls.
 */
export async function isFree(port: number): Promise<boolean> {
  return !(await answers(port)) && (await canListen(port))
}

/** Ports that are held by listening on them, so that nobody else chooses them before their program starts. */
export interface HeldPorts {
  readonly release: () => Promise<void>
}

/** Undefined when one of them was taken meanwhile. */
export async function holdPorts(ports: readonly number[]): Promise<HeldPorts | undefined> {
  const servers: Server[] = []
  const release = async (): Promise<void> => {
    for (const server of servers.splice(0)) {
      server.close()
      await once(server, 'close')
    }
  }
  for (const port of ports) {
    const server = createServer((socket) => socket.destroy())
    server.listen(port, LOOPBACK)
    try {
      await once(server, 'listening')
    } catch {
      await release()
      return undefined
    }
    servers.push(server)
  }
  return { release }
}

async function answers(port: number): Promise<boolean> {
  const socket = connect({ host: LOOPBACK, port, timeout: CONNECT_WAIT_MS })
  try {
    await Promise.race([once(socket, 'connect'), once(socket, 'timeout')])
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, LOOPBACK)
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return true
  } catch {
    return false
  }
}

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { listen } from '../../src/foundation/http/listeners.ts'
import { createLogging } from '../../src/foundation/platform/logger.ts'

test('a call on a connection that was made before the port closed is answered, and only what is idle then is closed', async () => {
  const { log } = createLogging({ level: 'silent', format: 'json', write: () => undefined })
  const handler = (_request: unknown, response: import('node:http').ServerResponse): void => void response.end('fine')
  const listeners = await listen({ host: '127.0.0.1', port: 0, tls: null, handler, log })
  const open = async () => {
    const socket = connect(listeners.port, '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }
  const [late, idle] = [await open(), await open()]
  // Both were accepted: the answer to a third connection comes after them.
  const first = await fetch(`http://127.0.0.1:${listeners.port}/`)
  assert.equal(await first.text(), 'fine')
  listeners.letGo()
  listeners.stopAccepting()
  await assert.rejects(open(), { code: 'ECONNREFUSED' })
  late.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const [answer] = await once(late, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close/i)
  assert.equal(idle.closed, false)
  idle.resume()
  listeners.closeIdle()
  await once(idle, 'close')
  listeners.closeAll()
})

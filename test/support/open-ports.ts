/** The gateway's two ports with a handler that says one word: for what happens before a request exists. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ListenOptions, listen } from '../../src/foundation/http/listeners.ts'
import { selfSignedTlsFiles } from '../../src/foundation/http/tls.ts'
import { createLogging } from '../../src/foundation/platform/logger.ts'

export interface OpenPorts {
  readonly port: number
  readonly tlsPort: number
  readonly close: () => Promise<void>
}

interface PortOptions {
  readonly handler?: RequestListener
  readonly limits?: ListenOptions['limits']
}

export async function openPorts(options: PortOptions = {}): Promise<OpenPorts> {
  const { log } = createLogging({ level: 'silent', format: 'json', write: () => undefined })
  const dataDir = await mkdtemp(path.join(tmpdir(), 'causeway-ports-'))
  const files = await selfSignedTlsFiles(dataDir, ['localhost'], Date.now(), (error) => assert.fail(String(error)))
  const { port, tlsPort, stopAccepting, closeAll } = await listen({
    host: '127.0.0.1',
    port: 0,
    tls: { port: 0, files },
    handler: options.handler ?? ((_request, response) => void response.end('fine')),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    log,
  })
  assert.ok(tlsPort !== null)
  return {
    port,
    tlsPort,
    close: async () => {
      stopAccepting()
      closeAll()
      await rm(dataDir, { recursive: true })
    },
  }
}

/** A gateway in a process of its own, whose memory can be asked for, with a model service that answers what a test says. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { startSimulator } from '../../simulator/simulator.ts'
import { ADMIN_PASSWORD, login, untilReady } from '../support/gateway.ts'
import { type RawHost, startRawHost } from './raw-host.ts'

export interface Memory {
  readonly rss: number
  readonly heapUsed: number
  readonly external: number
}

export interface MeasuredGateway {
  readonly host: RawHost
  readonly url: string
  readonly port: number
  readonly token: string
  /** After a collection. */
  readonly measure: () => Promise<Memory>
  /** When nothing falls any more: buffers and code out of use go some collections after nobody holds them. */
  readonly settledMemory: () => Promise<Memory>
  readonly close: () => Promise<void>
}

const KIB = 1024

export async function startMeasuredGateway(nodeFlags: readonly string[] = []): Promise<MeasuredGateway> {
  const host = await startRawHost()
  const simulator = await startSimulator()
  const child = fork(path.join(import.meta.dirname, 'programs/measured-gateway.ts'), {
    execArgv: ['--expose-gc', ...nodeFlags],
    env: {
      PATH: process.env['PATH'] ?? '',
      AWS_ACCESS_KEY_ID: simulator.accessKey,
      AWS_SECRET_ACCESS_KEY: simulator.secretKey,
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL: simulator.url,
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: host.url,
      ADMIN_PASSWORD,
      PROXY_PORT: '0',
      TLS_PORT: '0',
    },
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const url = `http://127.0.0.1:${port}`
  await untilReady(url)
  const token = await login(url)

  const measure = async (): Promise<Memory> => {
    child.send('measure')
    const [memory] = (await once(child, 'message')) as [Memory]
    return memory
  }

  return {
    host,
    url,
    port,
    token,
    measure,
    settledMemory: async () => {
      let lowest = await measure()
      for (let sinceFall = 0; sinceFall < 20; sinceFall += 1) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        const memory = await measure()
        const fallen = lowest.heapUsed + lowest.external - memory.heapUsed - memory.external
        if (fallen > 64 * KIB) sinceFall = 0
        if (fallen > 0) lowest = memory
      }
      return { ...lowest, rss: (await measure()).rss }
    },
    close: async () => {
      child.disconnect()
      await once(child, 'exit')
      await host.close()
      await simulator.close()
    },
  }
}

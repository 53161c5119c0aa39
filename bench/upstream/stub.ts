/** Starts the stub and tells it how to stream. */
import { join } from 'node:path'
import { OTHER_CORE } from '../machine.ts'
import { freePort, start, untilOk } from '../processes.ts'
import { hostedWire } from '../targets/hosted-wire.ts'
import type { Target } from '../targets/target.ts'

export interface Stub {
  readonly port: number
  readonly atOnce: (events: number) => Promise<void>
  readonly paced: (events: number, eventsPerSecond: number) => Promise<void>
  readonly silent: () => Promise<void>
  /** The stub itself, without anything between. */
  readonly direct: Target
  readonly stop: () => Promise<void>
}

export async function startStub(folder: string): Promise<Stub> {
  const port = await freePort()
  const server = start(process.execPath, [join(import.meta.dirname, 'main.ts'), String(port)], {
    core: OTHER_CORE,
    logFile: join(folder, 'upstream.log'),
  })
  await untilOk(port, '/', server)
  const order = (path: string): Promise<void> => untilOk(port, `/bench/${path}`)
  return {
    port,
    atOnce: (events) => order(`at-once/${events}`),
    paced: (events, rate) => order(`paced/${events}/${rate}`),
    silent: () => order('silent/300'),
    direct: {
      name: 'direct',
      port,
      pid: undefined,
      plain: hostedWire('invoke'),
      stream: hostedWire('invoke-with-response-stream'),
      stop: async () => {},
    },
    stop: server.stop,
  }
}

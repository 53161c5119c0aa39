/** A gateway whose database is reached through a proxy that can lose it, and calls that all cost the same. */
import { post } from '../message-path/path-client.ts'
import { type ChaosProxy, startChaosProxy } from '../support/chaos-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { fixPrice, hello, priceOfCall } from './budget-world.ts'

export interface OutageWorld {
  /** The same database without the proxy. */
  readonly direct: TestDatabase
  readonly proxy: ChaosProxy
  readonly gateway: TestGateway
  readonly price: number
  /** The status of a call with this key. */
  readonly serve: (key: string) => Promise<number>
  readonly stop: () => Promise<void>
}

export async function startOutageWorld(): Promise<OutageWorld> {
  const direct = await createTestDatabase()
  const proxy = await startChaosProxy(direct.url)
  const gateway = await startGateway({ database: { ...direct, url: proxy.url } })
  await fixPrice(gateway)
  return {
    direct,
    proxy,
    gateway,
    price: await priceOfCall({ ...gateway, database: direct.database }),
    serve: async (key) => {
      const response = await post(gateway, key, hello)
      await response.arrayBuffer()
      return response.status
    },
    stop: async () => {
      proxy.set('pass')
      await gateway.stop()
      await gateway.simulator.close()
      await proxy.close()
      await direct.drop()
    },
  }
}

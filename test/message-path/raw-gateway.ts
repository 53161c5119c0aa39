/** A gateway with a key, in front of a hosted service that answers as a test says, byte by byte. */
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'
import { type RawHost, startRawHost } from './raw-host.ts'

export interface RawGateway {
  readonly gateway: TestGateway
  readonly host: RawHost
  readonly key: string
  readonly stop: () => Promise<void>
}

export async function startRawGateway(): Promise<RawGateway> {
  const host = await startRawHost()
  let key = ''
  const gateway = await startGateway({
    env: { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: host.url },
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
  const stop = async (): Promise<void> => {
    await gateway.stop()
    await host.close()
  }
  return { gateway, host, key, stop }
}

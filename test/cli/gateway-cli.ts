/** A gateway and a command line that is signed in to it as its administrator, for the tests of one file. */
import { after, before } from 'node:test'
import { login, startGateway, type TestGateway } from '../support/gateway.ts'
import { type CliRunner, createRunner } from './cli-runner.ts'

export interface GatewayCli {
  readonly gateway: TestGateway
  readonly cli: CliRunner
}

/** Both are there once the tests run. */
export function useGatewayCli(): GatewayCli {
  const parts = {} as { gateway: TestGateway; cli: CliRunner }
  before(async () => {
    parts.gateway = await startGateway()
    parts.cli = createRunner({ CAUSEWAY_URL: parts.gateway.url, CAUSEWAY_TOKEN: await login(parts.gateway.url) })
  })
  after(async () => {
    parts.cli?.close()
    await parts.gateway?.stop()
  })
  return parts
}

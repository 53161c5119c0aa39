/** Runs the gateway as a child with an environment of its own, and waits until it is ready. */
import { devNull } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { defined } from '../../src/foundation/platform/defined.ts'
import { projectProgram } from '../../src/foundation/platform/project-file.ts'
import { DemoError, PortMissedError } from './demo-error.ts'
import { type Program, startProgram } from './program.ts'
import type { RunningSimulator } from './simulator-program.ts'

export interface GatewayOptions {
  readonly port: number
  /** Default: loopback. */
  readonly host?: string
  readonly folder: string
  readonly databaseUrl: string
  readonly adminPassword: string
  readonly simulator: RunningSimulator
  readonly nodeFlags?: readonly string[]
  readonly logLevel?: string
  readonly logFile?: string
  readonly onLine?: (line: string) => void
}

const IDP_AUDIENCE = 'causeway'

export function gatewayEnvironment(options: GatewayOptions): Readonly<Record<string, string>> {
  const { simulator } = options
  return {
    ...defined({ PROXY_HOST: options.host }),
    PROXY_PORT: String(options.port),
    TLS_PORT: '0',
    DATABASE_URL: options.databaseUrl,
    ADMIN_PASSWORD: options.adminPassword,
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL: simulator.awsUrl,
    AWS_ACCESS_KEY_ID: simulator.accessKey,
    AWS_SECRET_ACCESS_KEY: simulator.secretKey,
    AWS_EC2_METADATA_DISABLED: 'true',
    // The profiles of whoever runs this have no part in it.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    OIDC_ISSUER: simulator.oidcUrl,
    OIDC_AUDIENCE: IDP_AUDIENCE,
    OIDC_NAME: 'Example SSO',
    EGRESS_ALLOW: '127.0.0.1,localhost',
    SEARCH_EGRESS_ALLOW: '127.0.0.1,localhost',
    SPEND_JOURNAL_DIR: join(options.folder, 'journal'),
    DATA_DIR: join(options.folder, 'files'),
    // Whoever presses Ctrl-C wants their prompt back.
    DRAIN_TIMEOUT_SECONDS: '1',
    ...defined({ RUST_LOG: options.logLevel }),
  }
}

export function startGatewayProgram(options: GatewayOptions): Program {
  return startProgram({
    name: 'the gateway',
    args: [...(options.nodeFlags ?? []), fileURLToPath(projectProgram('cli/main')), 'serve'],
    env: gatewayEnvironment(options),
    announces: 'listening',
    ...defined({ logFile: options.logFile, onLine: options.onLine }),
  })
}

const READY_WAIT_MS = 60_000
const POLL_MS = 40

export async function untilReady(program: Program, url: string, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + READY_WAIT_MS
  while (!program.hasAnnounced() || !(await isReady(url))) {
    signal.throwIfAborted()
    if (program.missedPort()) throw new PortMissedError()
    if (program.hasEnded())
      throw new DemoError('The gateway did not start.', 'The lines above are the end of its log.', program.lastLines())
    if (Date.now() > deadline)
      throw new DemoError(
        `The gateway was not ready within ${READY_WAIT_MS / 1_000} seconds.`,
        'The lines above are the end of its log. On a slow machine, start again.',
        program.lastLines(),
      )
    await delay(POLL_MS)
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(2_000) })
    await answer.body?.cancel()
    return answer.ok
  } catch {
    return false
  }
}

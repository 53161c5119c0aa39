/** Runs the simulator as a child on ports that stay the same, so that the sign-in issuer keeps its name. */
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { defined } from '../../src/foundation/platform/defined.ts'
import { projectProgram } from '../../src/foundation/platform/project-file.ts'
import { DemoError, PortMissedError } from './demo-error.ts'
import { findPort, type HeldPorts, holdPorts, isFree } from './free-ports.ts'
import { type Program, startProgram } from './program.ts'

export interface SimulatorPorts {
  readonly aws: number
  readonly control: number
  readonly oidc: number
  readonly webhook: number
  readonly search: number
}

export interface RunningSimulator {
  readonly program: Program
  readonly awsUrl: string
  readonly accessKey: string
  readonly secretKey: string
  readonly controlUrl: string
  readonly oidcUrl: string
}

export interface SimulatorOptions {
  readonly ports: SimulatorPorts
  readonly pace: 'natural' | 'instant'
  readonly logFile?: string
  readonly onLine?: (line: string) => void
}

/** Below the range from which systems take the ports of outgoing connections. */
const FIRST_PORT = 18_460

/** Those of the last start where they are still free. */
export async function choosePorts(known: SimulatorPorts | null, gatewayPort: number): Promise<SimulatorPorts> {
  // What another part had before stays reserved for it.
  const taken = new Set([gatewayPort, ...Object.values(known ?? {})])
  const choose = async (before: number | undefined): Promise<number> => {
    const keeps = before !== undefined && before !== gatewayPort && (await isFree(before))
    const port = keeps ? before : await findPort(FIRST_PORT, taken)
    taken.add(port)
    return port
  }
  return {
    aws: await choose(known?.aws),
    control: await choose(known?.control),
    oidc: await choose(known?.oidc),
    webhook: await choose(known?.webhook),
    search: await choose(known?.search),
  }
}

/** Ports that stay ours until they are released, just before the simulator takes them. */
export async function reservePorts(
  known: SimulatorPorts | null,
  gatewayPort: number,
): Promise<{ readonly ports: SimulatorPorts; readonly held: HeldPorts }> {
  for (;;) {
    const ports = await choosePorts(known, gatewayPort)
    const held = await holdPorts(Object.values(ports))
    // Another demo that starts at the same moment was quicker.
    if (held !== undefined) return { ports, held }
  }
}

export function formatOidcUrl(ports: SimulatorPorts): string {
  return `http://127.0.0.1:${ports.oidc}`
}

const START_WAIT_MS = 20_000

export async function startSimulatorProgram(options: SimulatorOptions): Promise<RunningSimulator> {
  const { ports } = options
  const printed: string[] = []
  const program = startProgram({
    name: 'the simulator',
    args: [
      fileURLToPath(projectProgram('simulator/main')),
      ...['--port', String(ports.aws), '--control-port', String(ports.control), '--oidc-port', String(ports.oidc)],
      ...['--webhook-port', String(ports.webhook), '--search-port', String(ports.search)],
      ...(options.pace === 'instant' ? ['--instant'] : []),
    ],
    env: {},
    ...defined({ logFile: options.logFile }),
    onLine: (line) => {
      printed.push(line)
      options.onLine?.(line)
    },
  })
  const printedValue = (label: string): string | undefined =>
    printed
      .find((line) => line.startsWith(label))
      ?.slice(label.length)
      .trim()
  const deadline = Date.now() + START_WAIT_MS
  // The last line that it prints: everything listens then.
  while (printedValue('search') === undefined) {
    if (program.hasEnded() || Date.now() > deadline) {
      await program.stop()
      if (program.missedPort()) throw new PortMissedError()
      throw new DemoError(
        'The simulator did not start.',
        'Start again; if it stays so, its log says why.',
        program.lastLines(),
      )
    }
    await delay(20)
  }
  return {
    program,
    awsUrl: printedValue('AWS_ENDPOINT_URL=') ?? '',
    accessKey: printedValue('AWS_ACCESS_KEY_ID=') ?? '',
    secretKey: printedValue('AWS_SECRET_ACCESS_KEY=') ?? '',
    controlUrl: printedValue('control') ?? '',
    oidcUrl: printedValue('oidc') ?? '',
  }
}

/** Lets somebody sign in at the simulated identity provider. */
export async function addSsoUser(
  simulator: RunningSimulator,
  user: { readonly name: string; readonly subject: string },
): Promise<void> {
  const answer = await fetch(`${simulator.controlUrl}/oidc/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      sub: `user-${user.subject.split('@')[0]}`,
      claims: {
        email: user.subject,
        email_verified: true,
        name: user.name,
        preferred_username: user.subject.split('@')[0],
      },
    }),
  })
  if (!answer.ok) throw new Error(`the simulator did not take the user ${user.subject}: ${await answer.text()}`)
}

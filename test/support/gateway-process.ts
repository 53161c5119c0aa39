/** The gateway as its own process, started as operators start it: from the environment alone. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Simulator } from '../../simulator/simulator.ts'

export interface GatewayProcess {
  readonly child: ChildProcess
  /** Standard output and error so far. */
  readonly output: () => string
  readonly exited: Promise<number | null>
  /** Resolves with the port once it listens; rejects when the process ends first. */
  readonly listening: () => Promise<number>
  readonly kill: (signal: NodeJS.Signals) => void
  /** To every process of it, as a terminal or a service manager sends it. Only with a group of its own. */
  readonly killGroup: (signal: NodeJS.Signals) => void
}

/** A gateway that calls the simulator and nothing else, with the password `x`. */
export function onSimulator(simulator: Pick<Simulator, 'url' | 'accessKey' | 'secretKey'>) {
  return {
    AWS_ENDPOINT_URL: simulator.url,
    AWS_ACCESS_KEY_ID: simulator.accessKey,
    AWS_SECRET_ACCESS_KEY: simulator.secretKey,
    PRICING_REFRESH_ENABLED: 'false',
    CAPABILITY_PROBE_AIP: 'false',
    ADMIN_PASSWORD: 'x',
  }
}

const inherited = ['PATH', 'HOME', 'TMPDIR']

export function spawnGateway(
  environment: Readonly<Record<string, string>>,
  options: { readonly ownGroup?: boolean; readonly program?: readonly string[] } = {},
): GatewayProcess {
  const base = Object.fromEntries(
    inherited.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
  const child = spawn(process.execPath, [...(options.program ?? ['src/main.ts'])], {
    env: {
      ...base,
      PROXY_PORT: '0',
      TLS_PORT: '0',
      LOG_FORMAT: 'json',
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
      AWS_ACCESS_KEY_ID: 'AKIASIMULATOR0000001',
      AWS_SECRET_ACCESS_KEY: 'simulator/secret/key/0000000000000000001',
      AWS_EC2_METADATA_DISABLED: 'true',
      DRAIN_TIMEOUT_SECONDS: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: options.ownGroup ?? false,
  })
  let output = ''
  const waiting = new Set<() => void>()
  const collect = (chunk: Buffer): void => {
    output += chunk.toString('utf8')
    for (const check of waiting) check()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  return {
    child,
    output: () => output,
    exited,
    kill: (signal) => void child.kill(signal),
    killGroup: (signal) => {
      // The runner's own group would be meant by a process without one of its own.
      if (options.ownGroup !== true || child.pid === undefined) throw new Error('the gateway has no group of its own')
      process.kill(-child.pid, signal)
    },
    listening: () =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const port = /"port":(\d+)[^\n]*"msg":"listening"/.exec(output)?.[1]
          if (port === undefined) return
          waiting.delete(check)
          resolve(Number(port))
        }
        waiting.add(check)
        check()
        void exited.then((code) => reject(new Error(`the gateway ended with ${code}:\n${output}`)))
      }),
  }
}

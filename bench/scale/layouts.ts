/** Starts the gateway in each of the ways it can be spread: one process, workers, instances behind a load balancer. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, type Started, start, untilOk } from '../processes.ts'
import { buildGateway } from '../targets/causeway.ts'

export interface LayoutParts {
  readonly folder: string
  readonly databaseUrl: string
  readonly upstreamPort: number
}

export interface Layout {
  readonly name: string
  /** Processes that serve calls. */
  readonly processes: number
  readonly port: number
  /** Where each instance answers by itself. */
  readonly ownPorts: readonly number[]
  /** Of the gateway; workers are their children. */
  readonly pids: readonly number[]
  readonly stop: () => Promise<void>
}

export async function startWorkers(parts: LayoutParts, workers: number): Promise<Layout> {
  const { port, server } = await startInstance(parts, `workers-${workers}`, workers)
  const name = workers === 1 ? 'one process' : `one instance, WORKERS=${workers}`
  return { name, processes: workers, port, ownPorts: [port], pids: [server.pid], stop: server.stop }
}

export async function startInstances(parts: LayoutParts, count: number): Promise<Layout> {
  const instances: { readonly port: number; readonly server: Started }[] = []
  for (let index = 0; index < count; index += 1) instances.push(await startInstance(parts, `instance-${index}`, 1))
  const port = await freePort()
  const file = join(parts.folder, 'haproxy.cfg')
  writeFileSync(file, balancerConfig(port, instances))
  const balancer = start('haproxy', ['-db', '-f', file], { core: 'any', logFile: join(parts.folder, 'haproxy.log') })
  await untilOk(port, '/ready', balancer)
  return {
    name: `${count} instances behind haproxy`,
    processes: count,
    port,
    ownPorts: instances.map((one) => one.port),
    pids: instances.map(({ server }) => server.pid),
    stop: async () => {
      await balancer.stop()
      for (const { server } of instances) await server.stop()
    },
  }
}

function balancerConfig(port: number, instances: readonly { readonly port: number }[]): string {
  const servers = instances.map((one, index) => `  server gateway${index} 127.0.0.1:${one.port} check inter 1000`)
  return `defaults
  mode http
  timeout connect 5s
  timeout client 900s
  timeout server 900s
listen gateways
  bind 127.0.0.1:${port}
  balance roundrobin
  option httpchk GET /ready
${servers.join('\n')}
`
}

async function startInstance(
  parts: LayoutParts,
  name: string,
  workers: number,
): Promise<{ readonly port: number; readonly server: Started }> {
  const port = await freePort()
  const server = start(process.execPath, [buildGateway(), 'serve'], {
    core: 'any',
    logFile: join(parts.folder, `${name}.log`),
    env: {
      PROXY_PORT: String(port),
      TLS_PORT: '0',
      WORKERS: String(workers),
      DRAIN_TIMEOUT_SECONDS: '1',
      DATABASE_URL: parts.databaseUrl,
      DATA_DIR: join(parts.folder, name),
      SPEND_JOURNAL_DIR: join(parts.folder, name),
      ADMIN_PASSWORD: 'bench',
      PRICING_REFRESH_ENABLED: 'false',
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL: `http://127.0.0.1:${parts.upstreamPort}`,
      AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      AWS_EC2_METADATA_DISABLED: 'true',
      NODE_ENV: 'production',
    },
  })
  await untilOk(port, '/ready', server)
  return { port, server }
}

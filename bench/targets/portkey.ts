/** Portkey's open gateway on its Bedrock path: Messages in, Converse to the same stub, signed, Messages out. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { portkeyForm, requestBody } from '../load/bodies.ts'
import { clientHeaders } from '../load/client-headers.ts'
import { MEASURED_CORE } from '../machine.ts'
import { freePort, start, untilOk } from '../processes.ts'
import type { Launch, Wire } from './target.ts'

export const PORTKEY_VERSION = '1.15.2'
/** Of the line that its own image is built on, as the gateway runs on the one of its image. */
export const PORTKEY_NODE_VERSION = '20.20.2'

interface Portkey {
  readonly node: string
  readonly program: string
}

/** Kept between runs, outside the project: it is compared with, never depended on. Undefined when it cannot be had. */
export function findPortkey(): Portkey | undefined {
  const folder = join(tmpdir(), `causeway-bench-portkey-${PORTKEY_VERSION}-node-${PORTKEY_NODE_VERSION}`)
  const program = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js')
  const node = join(folder, 'node_modules/node/bin/node')
  const isThere = (): boolean => existsSync(program) && existsSync(node)
  if (!isThere()) {
    mkdirSync(folder, { recursive: true })
    const packages = [`@portkey-ai/gateway@${PORTKEY_VERSION}`, `node@${PORTKEY_NODE_VERSION}`]
    spawnSync('npm', ['i', '--prefix', folder, '--no-audit', '--no-fund', ...packages], { timeout: 120_000 })
  }
  return isThere() ? { node, program } : undefined
}

export function launchPortkey({ node, program }: Portkey, upstreamPort: number, folder: string): Launch {
  return async () => {
    const port = await freePort()
    const server = start(node, [program, '--headless', `--port=${port}`], {
      core: MEASURED_CORE,
      logFile: join(folder, 'portkey.log'),
      env: { NODE_ENV: 'production' },
    })
    await untilOk(port, '/', server)
    const headers = [
      {
        'x-portkey-provider': 'bedrock',
        'x-portkey-aws-access-key-id': 'AKIAIOSFODNN7EXAMPLE',
        'x-portkey-aws-secret-access-key': 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
        'x-portkey-aws-region': 'us-east-1',
        'x-portkey-custom-host': `http://127.0.0.1:${upstreamPort}`,
        ...clientHeaders,
      },
    ]
    const wire =
      (stream: boolean) =>
      (bodyBytes: number): Wire => ({
        path: '/v1/messages',
        headers,
        body: requestBody(portkeyForm(stream), bodyBytes),
      })
    return { name: 'portkey', port, pid: server.pid, plain: wire(false), stream: wire(true), stop: server.stop }
  }
}

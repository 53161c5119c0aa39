/** Portkey's open gateway on its Bedrock path: Messages in, Converse to the same stub, signed, Messages out. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { portkeyForm, requestBody } from '../load/bodies.ts'
import { MEASURED_CORE } from '../machine.ts'
import { freePort, start, untilOk } from '../processes.ts'
import type { Launch, Wire } from './target.ts'

export const PORTKEY_VERSION = '1.15.2'

/** Kept between runs, outside the project: it is compared with, never depended on. Undefined when it cannot be had. */
export function findPortkey(): string | undefined {
  const folder = join(tmpdir(), `causeway-bench-portkey-${PORTKEY_VERSION}`)
  const program = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  spawnSync('npm', ['i', '--prefix', folder, '--no-audit', '--no-fund', `@portkey-ai/gateway@${PORTKEY_VERSION}`], {
    timeout: 120_000,
  })
  return existsSync(program) ? program : undefined
}

export function launchPortkey(program: string, upstreamPort: number, folder: string): Launch {
  return async () => {
    const port = await freePort()
    const server = start(process.execPath, [program, '--headless', `--port=${port}`], {
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

import { parseArgs } from 'node:util'
import { demoPace } from './settings.ts'
import { startSimulator } from './simulator.ts'

const { values } = parseArgs({
  options: {
    host: { type: 'string' },
    port: { type: 'string' },
    'control-port': { type: 'string' },
    'oidc-port': { type: 'string' },
    'oidc-url': { type: 'string' },
    'webhook-port': { type: 'string' },
    'search-port': { type: 'string' },
    instant: { type: 'boolean', default: false },
    'token-mode': { type: 'string' },
  },
})

function readPort(flag: string | undefined, variable: string, fallback: number): number {
  const text = flag ?? process.env[variable]
  const port = text === undefined ? fallback : Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new RangeError(`${variable}: ${text} is no port`)
  return port
}

const oidcUrl = values['oidc-url'] ?? process.env['SIMULATOR_OIDC_URL']
const tokenMode = values['token-mode'] ?? process.env['SIMULATOR_TOKEN_MODE']
const simulator = await startSimulator({
  host: values.host ?? process.env['SIMULATOR_HOST'] ?? '127.0.0.1',
  port: readPort(values.port, 'SIMULATOR_PORT', 4566),
  controlPort: readPort(values['control-port'], 'SIMULATOR_CONTROL_PORT', 4567),
  oidcPort: readPort(values['oidc-port'], 'SIMULATOR_OIDC_PORT', 4568),
  webhookPort: readPort(values['webhook-port'], 'SIMULATOR_WEBHOOK_PORT', 4569),
  searchPort: readPort(values['search-port'], 'SIMULATOR_SEARCH_PORT', 4570),
  ...(oidcUrl === undefined ? {} : { oidcUrl }),
  settings: {
    ...(values.instant ? {} : { pace: demoPace }),
    ...(tokenMode === 'fingerprint' ? { tokenMode } : {}),
  },
})

console.log(`AWS_ENDPOINT_URL=${simulator.url}
AWS_ACCESS_KEY_ID=${simulator.accessKey}
AWS_SECRET_ACCESS_KEY=${simulator.secretKey}
control  ${simulator.controlUrl}
oidc     ${simulator.oidcUrl}
webhooks ${simulator.webhookUrl}
search   ${simulator.searchUrl}`)

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void simulator.close().then(() => process.exit(0))
  })
}

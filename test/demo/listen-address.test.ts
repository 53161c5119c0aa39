import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gatewayEnvironment } from '../../tools/demo/gateway-program.ts'
import type { RunningSimulator } from '../../tools/demo/simulator-program.ts'

const simulator = { awsUrl: 'http://127.0.0.1:1', oidcUrl: 'http://127.0.0.1:2', accessKey: 'a', secretKey: 's' }
const options = {
  port: 8080,
  folder: '/demo',
  databaseUrl: 'postgres://x',
  adminPassword: 'p',
  simulator: simulator as RunningSimulator,
}

test('the demo listens on loopback, and where a container is reached when it is told so', () => {
  assert.equal(gatewayEnvironment(options)['PROXY_HOST'], undefined)
  assert.equal(gatewayEnvironment({ ...options, host: '0.0.0.0' })['PROXY_HOST'], '0.0.0.0')
})

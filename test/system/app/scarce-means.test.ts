import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type Simulator, startSimulator } from '../../../simulator/simulator.ts'
import { hello, post, untilTrue } from '../../message-path/path-client.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { freePort } from '../../support/free-port.ts'
import { ADMIN_PASSWORD, addKey, untilReady } from '../../support/gateway.ts'
import { type GatewayProcess, spawnGateway } from '../../support/gateway-process.ts'

interface Started extends GatewayProcess {
  readonly url: string
  readonly port: number
  readonly end: () => Promise<void>
}

let folder: string
let own: TestDatabase
let simulator: Simulator
let key: string

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'causeway-scarce-'))
  own = await createTestDatabase()
  simulator = await startSimulator()
  key = (await addKey(own.database)).key
})

after(async () => {
  await own.drop()
  await simulator.close()
  await rm(folder, { recursive: true })
})

function environmentOf(): Record<string, string> {
  return {
    DATABASE_URL: own.url,
    DATA_DIR: folder,
    SPEND_JOURNAL_DIR: path.join(folder, 'journal'),
    ADMIN_PASSWORD,
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL: simulator.url,
    AWS_ACCESS_KEY_ID: simulator.accessKey,
    AWS_SECRET_ACCESS_KEY: simulator.secretKey,
  }
}

async function started(environment: Record<string, string> = {}, nodeFlags: readonly string[] = []): Promise<Started> {
  const gateway = spawnGateway({ ...environmentOf(), ...environment }, { program: [...nodeFlags, 'src/main.ts'] })
  const port = await gateway.listening()
  const url = `http://127.0.0.1:${port}`
  await untilReady(url)
  return {
    ...gateway,
    url,
    port,
    end: async () => {
      gateway.kill('SIGTERM')
      assert.equal(await gateway.exited, 0)
    },
  }
}

async function toStatus(gateway: { readonly url: string }, body: object = hello): Promise<number> {
  const response = await post(gateway, key, body)
  await response.text()
  return response.status
}

async function recordCount(): Promise<number> {
  const { rows } = await own.database.kysely
    .selectFrom('spend_log')
    .select((eb) => eb.fn.countAll<string>().as('rows'))
    .where('key_id', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(rows)
}

const request = (): string => {
  const body = JSON.stringify(hello)
  return `POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Bearer ${key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

test('a closed standard output and error cost log lines and nothing else', async () => {
  const gateway = await started({ RUST_LOG: 'debug' })
  const before = await recordCount()
  gateway.child.stdout?.destroy()
  gateway.child.stderr?.destroy()
  for (let call = 0; call < 300; call += 1) assert.equal(await toStatus(gateway), 200)
  // A refusal with a stack in the log, and more than the log holds back before it writes.
  assert.equal((await post(gateway, 'wrong', hello)).status, 401)
  await untilTrue(async () => (await recordCount()) === before + 300)
  await gateway.end()
})

test('a log that nobody reads neither holds up calls nor the end of the process', async () => {
  // A pipe, as of a shell: to a child of its own Node would give a socket.
  const port = await freePort()
  const shell = spawn('sh', ['-c', '{ "$0" src/main.ts; echo "ended with $?" >&2; } | sleep 60', process.execPath], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...environmentOf(),
      PROXY_PORT: String(port),
      TLS_PORT: '0',
      RUST_LOG: 'debug',
      DRAIN_TIMEOUT_SECONDS: '0',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  try {
    let said = ''
    shell.stderr.on('data', (bytes) => {
      said += String(bytes)
    })
    const gateway = { url: `http://127.0.0.1:${port}` }
    await untilReady(gateway.url)
    const line = { ...hello, system: 'word '.repeat(2_000) }
    for (let call = 0; call < 200; call += 1) assert.equal(await toStatus(gateway, line), 200)
    const pid = Number(
      execFileSync('pgrep', ['-g', String(shell.pid), '-f', 'src/main.ts$'])
        .toString()
        .split('\n')[0],
    )
    process.kill(pid, 'SIGTERM')
    await untilTrue(() => said.includes('ended with 0'))
  } finally {
    if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL')
  }
})

test('without file descriptors nothing spins and nothing dies, and calls go on when there are some again', async () => {
  const gateway = await started()
  const pid = gateway.child.pid ?? 0
  const descriptors = (): number => readdirSync(`/proc/${pid}/fd`).length
  const processorMs = (): number => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  }
  assert.equal(await toStatus(gateway), 200)
  const before = descriptors()
  execFileSync('prlimit', ['--pid', String(pid), '--nofile=128:128'])
  const answers = new Map<net.Socket, string>()
  const sockets = Array.from({ length: 300 }, () => {
    const socket = net.connect(gateway.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => answers.set(socket, (answers.get(socket) ?? '') + bytes.toString('latin1')))
    return socket
  })
  try {
    await untilTrue(() => descriptors() >= 127)
    const usedBefore = processorMs()
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    const usedMs = processorMs() - usedBefore
    assert.ok(usedMs < 1_000, `${usedMs} ms of the processor in 3 seconds`)
    // More calls at once than there are connections to the hosted service, and no descriptor for another.
    const callers = sockets.filter((socket) => !socket.destroyed && socket.readyState === 'open').slice(0, 30)
    for (const socket of callers) socket.write(request())
    await untilTrue(() => callers.every((socket) => socket.destroyed || answers.get(socket)?.includes('\r\n\r\n')))
    const statuses = callers.flatMap((socket) => answers.get(socket)?.split(' ')[1] ?? [])
    assert.ok(statuses.length > 0)
    for (const status of statuses) assert.match(status, /^(200|502|503|529)$/)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  await untilTrue(() => descriptors() <= before + 10)
  await untilTrue(async () => (await toStatus(gateway)) === 200)
  for (let call = 0; call < 20; call += 1) assert.equal(await toStatus(gateway), 200)
  assert.doesNotMatch(gateway.output(), /nobody (noticed|handled)/)
  await gateway.end()
})

test('in little memory two thousand streams with large prompts are served or refused, and the process lives', async () => {
  const gateway = await started({}, ['--max-old-space-size=128'])
  const large = { ...hello, stream: true, system: 'word '.repeat(20_000) }
  const seen = new Map<number, number>()
  const caller = async (): Promise<void> => {
    for (let call = 0; call < 20; call += 1) {
      const status = await toStatus(gateway, large)
      seen.set(status, (seen.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: 100 }, caller))
  for (const status of seen.keys()) assert.ok([200, 429, 503, 529].includes(status), String(status))
  assert.ok((seen.get(200) ?? 0) > 0)
  assert.equal(await toStatus(gateway), 200)
  await gateway.end()
})

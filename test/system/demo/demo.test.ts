/** The demo as a person would use it: started, tried with the printed command, stopped with Ctrl-C, started again. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { findPort } from '../../../tools/demo/free-ports.ts'
import { projectRoot } from '../../../tools/demo/program.ts'
import { descendantsOf, type Process, stillRunning } from '../../demo/processes.ts'
import { type Demo, makeDemoStarter } from './demo-starter.ts'

const { startDemo, remove } = await makeDemoStarter()
after(remove)

/** Printed when the data of an earlier start is used. */
const GOES_ON = /Going on with the data in/

/** The printed command as the shell reads it, sent without needing curl on this machine. */
async function sendPrintedRequest(text: string): Promise<Response> {
  const command = /curl -sS [\s\S]*?-d '.*'/.exec(text)?.[0] ?? ''
  const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('curl -sS', "printf '%s\\n'")])
  const [url = '', ...flags] = stdout.trimEnd().split('\n')
  const headers = flags.flatMap((flag, index) => (flag === '-H' ? [(flags[index + 1] ?? '').split(': ')] : []))
  const body = flags[flags.indexOf('-d') + 1] ?? ''
  return fetch(url, { method: 'POST', headers: headers as [string, string][], body })
}

async function splitParts(demo: Demo): Promise<{ all: readonly Process[]; gateway: Process }> {
  const all = await descendantsOf(demo.pid)
  for (const part of ['simulator/main.ts', 'cli/main.ts serve', 'postgres'])
    assert.ok(
      all.some(({ command }) => command.includes(part)),
      `${part} is not among the demo's processes`,
    )
  return { all, gateway: all.find(({ command }) => command.includes('cli/main.ts serve')) as Process }
}

test('the demo answers the printed request, stops on Ctrl-C without a trace, and starts again with the same data', async (t) => {
  const port = String(await findPort(18_700))

  await t.test('first start, request, Ctrl-C', async () => {
    const demo = await startDemo(['--port', port])
    assert.doesNotMatch(demo.text(), GOES_ON)
    for (const shown of [`http://127.0.0.1:${port}/portal`, 'ANTHROPIC_AUTH_TOKEN=sk-proxy-', 'Password'])
      assert.ok(demo.text().includes(shown), shown)
    const answer = await sendPrintedRequest(demo.text())
    assert.equal(answer.status, 200)
    const message = (await answer.json()) as { type: string; content: { text: string }[] }
    assert.equal(message.type, 'message')
    assert.ok((message.content[0]?.text ?? '').length > 0)
    const { all } = await splitParts(demo)
    process.kill(-demo.pid, 'SIGINT')
    assert.deepEqual(await demo.exit, [0, null], demo.text())
    assert.deepEqual(await stillRunning(all), [])
  })

  await t.test('second start with the same password and key; a part that dies takes the rest with it', async () => {
    const demo = await startDemo(['--port', port])
    assert.match(demo.text(), GOES_ON)
    assert.equal((await sendPrintedRequest(demo.text())).status, 200)
    const { all, gateway } = await splitParts(demo)
    process.kill(gateway.pid, 'SIGKILL')
    assert.deepEqual(await demo.exit, [1, null])
    assert.match(demo.text(), /Unexpectedly, the gateway ended by SIGKILL\./)
    assert.deepEqual(await stillRunning(all), [])
  })
})

test('wrong options are explained and nothing is started', async () => {
  const run = promisify(execFile)
  const wrong = run(process.execPath, ['tools/demo.ts', '--port', 'many'], { cwd: projectRoot })
  await assert.rejects(wrong, { code: 2, stderr: /--port wants a number from 1 to 65535, not "many"/ })
  const { stdout } = await run(process.execPath, ['tools/demo.ts', '--help'], { cwd: projectRoot })
  for (const option of ['--port', '--fresh', '--verbose']) assert.ok(stdout.includes(option))
})

/** Calls of a warm key at a steady pace, as many a second however long the answers take. */
import { Agent, request } from 'node:http'

/** A steady number of calls a second, whatever the answers take; every second something is looked at. */
export async function steadyLoad(
  port: number,
  key: string,
  seconds: number,
  callsPerSecond: number,
  look: () => void,
): Promise<{ readonly calls: number; readonly failed: number }> {
  const agent = new Agent({ keepAlive: true })
  const open = new Set<Promise<void>>()
  let calls = 0
  let failed = 0
  const startedMs = performance.now()
  const looking = setInterval(look, 1_000)
  while (performance.now() - startedMs < seconds * 1_000) {
    const due = Math.floor(((performance.now() - startedMs) / 1_000) * callsPerSecond) - calls
    for (let index = 0; index < due; index += 1) {
      calls += 1
      const one: Promise<void> = callOnce(port, key, agent).then((status) => {
        if (status !== 200) failed += 1
        open.delete(one)
      })
      open.add(one)
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await Promise.all(open)
  clearInterval(looking)
  agent.destroy()
  return { calls, failed }
}

const body = JSON.stringify({
  model: 'claude-sonnet-5',
  max_tokens: 50,
  messages: [{ role: 'user', content: 'hi' }],
})

function callOnce(port: number, key: string, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
    const call = request(
      { host: '127.0.0.1', port, path: '/v1/messages', method: 'POST', headers, agent },
      (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0))
        answer.on('error', () => resolve(0))
      },
    )
    call.on('error', () => resolve(0))
    call.end(body)
  })
}

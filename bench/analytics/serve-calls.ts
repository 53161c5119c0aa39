/** Calls at a fixed rate, whatever happens to those before; returns how long each took. */
import type { Target } from '../targets/target.ts'

export interface Rate {
  readonly perSecond: number
  readonly seconds: number
}

export async function serveCalls(target: Target, { perSecond, seconds }: Rate): Promise<readonly number[]> {
  const wire = target.plain(2_000)
  const times: number[] = []
  const running: Promise<void>[] = []
  const startedMs = performance.now()
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const dueMs = startedMs + (index * 1000) / perSecond
    const waitMs = dueMs - performance.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    running.push(callOnce(target.port, wire).then((ms) => void times.push(ms)))
  }
  await Promise.all(running)
  return times
}

async function callOnce(port: number, wire: ReturnType<Target['plain']>): Promise<number> {
  const startedMs = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}${wire.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...wire.headers[0] },
    body: new Uint8Array(wire.body),
  })
  if (response.status !== 200) throw new Error(`a call was answered ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
  return performance.now() - startedMs
}

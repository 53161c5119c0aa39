/** Calls at a fixed rate, whatever happens to those before; returns when each began and how long it took. */
import type { Target } from '../targets/target.ts'

const CALLS_PER_SECOND = 100

export interface Call {
  readonly startedMs: number
  readonly ms: number
}

export function serveCallsFor(target: Target, seconds: number): Promise<readonly Call[]> {
  const endMs = performance.now() + seconds * 1000
  return serveCallsWhile(target, () => performance.now() < endMs)
}

export async function serveCallsWhile(target: Target, isWanted: () => boolean): Promise<readonly Call[]> {
  const wire = target.plain(2_000)
  const calls: Call[] = []
  const running: Promise<void>[] = []
  const startedMs = performance.now()
  for (let index = 0; isWanted(); index += 1) {
    const dueMs = startedMs + (index * 1000) / CALLS_PER_SECOND
    const waitMs = dueMs - performance.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    running.push(callOnce(target.port, wire).then((call) => void calls.push(call)))
  }
  await Promise.all(running)
  return calls
}

async function callOnce(port: number, wire: ReturnType<Target['plain']>): Promise<Call> {
  const startedMs = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}${wire.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...wire.headers[0] },
    body: new Uint8Array(wire.body),
  })
  if (response.status !== 200) throw new Error(`a call was answered ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
  return { startedMs, ms: performance.now() - startedMs }
}

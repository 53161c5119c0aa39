/** Memory of an open stream on which nothing happens, in a fresh process. */
import { closedLoop, openStreams } from '../load/stream-client.ts'
import { rssKilobytes } from '../machine.ts'
import { pause } from '../processes.ts'
import { requestBytes, type Target, type TargetName } from '../targets/target.ts'
import type { Bench, Row } from './scenario.ts'

const BODY_BYTES = 2_048
const fullCounts = [1_000, 5_000]
const quickCounts = [1_000]
/** Garbage of the opening is collected and pages are given back in this time, or never. */
const SETTLE_MS = 2_000

export async function idleStreams(bench: Bench): Promise<readonly Row[]> {
  const counts = bench.quick ? quickCounts : fullCounts
  const perStream = new Map<number, Partial<Record<TargetName, number>>>(counts.map((count) => [count, {}]))
  for (const launch of Object.values(bench.launches)) {
    const target = await launch()
    try {
      const measured = await measure(bench, target, counts)
      for (const [count, kilobytes] of measured) (perStream.get(count) ?? {})[target.name] = kilobytes
    } finally {
      await target.stop()
    }
  }
  bench.say('memory of idle streams')
  return counts.map((count) => ({
    id: `idle-${count}`,
    title: `memory per idle stream, ${count.toLocaleString('en')} open`,
    unit: 'KB',
    values: perStream.get(count) ?? {},
    rounds: {},
  }))
}

async function measure(bench: Bench, target: Target, counts: readonly number[]): Promise<Map<number, number>> {
  if (target.pid === undefined) throw new Error(`${target.name} is not measured`)
  const requests = requestBytes(target.port, target.stream(BODY_BYTES))
  // A process that has never streamed would pay here for code and buffers that all streams share.
  await bench.stub.atOnce(300)
  await closedLoop(target.port, requests, { connections: 64, seconds: bench.quick ? 2 : 3 })
  await bench.stub.silent()
  await pause(SETTLE_MS)
  const before = rssKilobytes(target.pid)
  const result = new Map<number, number>()
  const open = []
  let total = 0
  for (const count of counts) {
    open.push(await openStreams(target.port, requests, count - total))
    total = count
    await pause(SETTLE_MS)
    result.set(count, (rssKilobytes(target.pid) - before) / count)
  }
  const closed = open.reduce((sum, streams) => sum + streams.closed(), 0)
  for (const streams of open) streams.close()
  await bench.stub.atOnce(300)
  if (closed > 0) throw new Error(`${target.name} closed ${closed} idle streams`)
  return result
}

/** CPU of a stream at full speed, and of one event of streams at the pace of a model. */
import { closedLoop, openStreams } from '../load/stream-client.ts'
import { cpuMicros } from '../machine.ts'
import { pause } from '../processes.ts'
import { requestBytes, type Target } from '../targets/target.ts'
import { type Bench, cpuPer, interleaved, type Row, undisturbed, warmUp } from './scenario.ts'

const BODY_BYTES = 2_048
const EVENTS = 300
const FAST_CONNECTIONS = 16

export async function fastStreams(bench: Bench): Promise<Row> {
  await bench.stub.atOnce(EVENTS)
  const run = async (target: Target, seconds: number): Promise<number> => {
    const requests = requestBytes(target.port, target.stream(BODY_BYTES))
    return (await closedLoop(target.port, requests, { connections: FAST_CONNECTIONS, seconds })).completed
  }
  for (const target of bench.targets) await warmUp(bench.quick ? 1 : 10, (seconds) => run(target, seconds))
  const measured = await interleaved(bench, bench.targets, (target) =>
    undisturbed(() => cpuPer(target, () => run(target, bench.seconds))),
  )
  bench.say('streams at full speed')
  return { id: 'stream-300', title: '300-event stream at full speed', unit: 'µs CPU', ...measured }
}

const PACED_STREAMS = 100
const EVENTS_PER_SECOND = 50

export async function pacedStreams(bench: Bench): Promise<Row> {
  const seconds = bench.seconds + 1
  const measured = await interleaved(bench, bench.targets, (target) =>
    undisturbed(async () => {
      if (target.pid === undefined) throw new Error(`${target.name} is not measured`)
      await bench.stub.paced((seconds + 60) * EVENTS_PER_SECOND, EVENTS_PER_SECOND)
      const streams = await openStreams(
        target.port,
        requestBytes(target.port, target.stream(BODY_BYTES)),
        PACED_STREAMS,
      )
      await pause(500)
      const startedMs = performance.now()
      const before = cpuMicros(target.pid)
      await pause(seconds * 1000)
      const used = cpuMicros(target.pid) - before
      const events = ((performance.now() - startedMs) / 1000) * EVENTS_PER_SECOND * PACED_STREAMS
      if (streams.closed() > 0) throw new Error(`${target.name} closed ${streams.closed()} paced streams`)
      streams.close()
      await pause(200)
      return used / events
    }),
  )
  await bench.stub.atOnce(EVENTS)
  bench.say('paced streams')
  return { id: 'paced-event', title: 'one event of 100 paced streams (50/s each)', unit: 'µs CPU', ...measured }
}

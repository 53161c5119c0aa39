/** Time to the first byte with 200 streams open, compared with the upstream asked directly under the same load. */
import { closedLoop } from '../load/stream-client.ts'
import { quantile } from '../machine.ts'
import { requestBytes, type Target, type TargetName } from '../targets/target.ts'
import { type Bench, interleaved, type Row, undisturbed, warmUp } from './scenario.ts'

const STREAMS = 200
const EVENTS = 40
const EVENTS_PER_SECOND = 20
const WARM_SECONDS = 10
const STREAM_MS = (EVENTS / EVENTS_PER_SECOND) * 1000

export async function firstByte(bench: Bench): Promise<readonly Row[]> {
  // As in the other scenarios: a hundred streams a second would not warm a compiler within the time of a round.
  await bench.stub.atOnce(300)
  for (const target of bench.targets) {
    const requests = requestBytes(target.port, target.stream(2_048))
    await warmUp(WARM_SECONDS, (seconds) => closedLoop(target.port, requests, { connections: 16, seconds }))
  }
  await bench.stub.paced(EVENTS, EVENTS_PER_SECOND)
  const targets = [bench.stub.direct, ...bench.targets]
  const late: Partial<Record<TargetName, number[]>> = {}
  const p50 = await interleaved(bench, targets, async (target) => {
    const times = await undisturbed(() => firstByteTimes(target, bench.quick ? 4 : 7))
    ;(late[target.name] ??= []).push(quantile(times, 0.99))
    return quantile(times, 0.5)
  })
  await bench.stub.atOnce(300)
  bench.say('time to first byte')
  const p99Values = Object.fromEntries(Object.entries(late).map(([name, values]) => [name, quantile(values, 0.5)]))
  const p99 = { values: p99Values, rounds: late }
  return [
    added('first-byte-p50', 'added time to first byte, 200 streams, p50', p50),
    added('first-byte-p99', 'added time to first byte, 200 streams, p99', p99),
  ]
}

async function firstByteTimes(target: Target, seconds: number): Promise<readonly number[]> {
  const requests = requestBytes(target.port, target.stream(2_048))
  const result = await closedLoop(target.port, requests, {
    connections: STREAMS,
    seconds,
    spreadMs: STREAM_MS,
    // While the first streams open there are fewer than 200.
    ignoreFirstMs: STREAM_MS,
  })
  return result.firstByteMs
}

/** Direct stays in the row as it was measured; the others are shown by what they add to it. */
function added(id: string, title: string, { values, rounds }: Pick<Row, 'values' | 'rounds'>): Row {
  const direct = values.direct ?? 0
  const difference = Object.entries(values).map(([name, value]) => [name, name === 'direct' ? value : value - direct])
  return { id, title, unit: 'ms', values: Object.fromEntries(difference), rounds }
}

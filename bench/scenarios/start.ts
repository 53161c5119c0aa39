/** From the start of the process to the first good answer of its readiness route, with 10,000 keys stored. */
import { median } from '../machine.ts'
import type { Bench, Row } from './scenario.ts'

export async function startToReady(bench: Bench): Promise<Row> {
  const launch = bench.launches.causeway
  if (launch === undefined) throw new Error('there is nothing to start')
  const seconds: number[] = []
  for (let round = 0; round < bench.rounds; round += 1) {
    const startedMs = performance.now()
    const target = await launch()
    seconds.push((performance.now() - startedMs) / 1000)
    await target.stop()
  }
  bench.say('start to ready')
  return {
    id: 'start',
    title: 'start to ready, 10,000 keys',
    unit: 's',
    values: { causeway: median(seconds) },
    rounds: { causeway: seconds },
  }
}

/** CPU of one call with a small answer, for four sizes of the request. */
import { type Bench, cpuPer, interleaved, type Row, undisturbed, warmUp } from './scenario.ts'

const sizes = [
  { title: '2 KB call', id: 'call-2k', bytes: 2_048, connections: 16 },
  { title: '50 KB call', id: 'call-50k', bytes: 51_200, connections: 16 },
  { title: '500 KB call', id: 'call-500k', bytes: 512_000, connections: 8 },
  { title: '2 MB call', id: 'call-2m', bytes: 2_097_152, connections: 4 },
] as const

export async function wholeCalls(bench: Bench): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const { title, id, bytes, connections } of sizes) {
    const load = (seconds: number) => (target: Bench['targets'][number]) =>
      bench.plainLoad(target, { wire: target.plain(bytes), connections, seconds })
    // The first size also warms the compiler, which is at work for twenty seconds; later ones only meet new buffers.
    for (const target of bench.targets)
      await warmUp(warmSeconds(bench, rows.length === 0), (seconds) => load(seconds)(target))
    const measured = await interleaved(bench, bench.targets, (target) =>
      undisturbed(() => cpuPer(target, () => load(bench.seconds)(target))),
    )
    rows.push({ id, title, unit: 'µs CPU', ...measured })
    bench.say(title)
  }
  return rows
}

function warmSeconds({ quick }: Bench, isFirst: boolean): number {
  if (quick) return isFirst ? 3 : 1
  return isFirst ? 20 : 2
}

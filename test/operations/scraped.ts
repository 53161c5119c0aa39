/** Reads Prometheus text, and asks the real tool what it thinks of it. */
import { spawnSync } from 'node:child_process'
import { instrumentTable, prometheusName } from '../../src/foundation/domain/instruments.ts'

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export function samplesOf(text: string): readonly Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      if (name === '') throw new Error(`not a sample: ${line}`)
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key, text])
      return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }
    })
}

/** The sum over all series that have these labels. */
export function totalOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  return samples
    .filter((one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0)
}

export interface ShownSpec {
  readonly kind: string
  /** As they stand in the text. */
  readonly labels: readonly string[]
}

/** Every metric of the table by its name in the text. */
export const shownTable: ReadonlyMap<string, ShownSpec> = new Map(
  Object.entries(instrumentTable).map(([name, spec]) => [
    prometheusName(name, spec),
    { kind: spec.kind, labels: spec.labels.map((label) => label.replaceAll('.', '_')) },
  ]),
)

/** The family of a sample: histograms show their parts under names of their own. */
export function findFamily(name: string): ShownSpec | undefined {
  const plain = shownTable.get(name)
  if (plain !== undefined) return plain
  const family = shownTable.get(name.replace(/_(?:bucket|sum|count)$/, ''))
  return family?.kind === 'histogram' ? { ...family, labels: [...family.labels, 'le'] } : undefined
}

/** Problems that promtool finds; empty when there are none. A missing promtool is a failure, not a skip. */
export function promtool(args: readonly string[], input?: string): { readonly ok: boolean; readonly output: string } {
  const result = spawnSync('promtool', args, { encoding: 'utf8', ...(input === undefined ? {} : { input }) })
  if (result.error !== undefined)
    throw new Error('promtool is missing: install the Debian package "prometheus" (or put promtool on the PATH)')
  return { ok: result.status === 0, output: `${result.stdout}${result.stderr}`.trim() }
}

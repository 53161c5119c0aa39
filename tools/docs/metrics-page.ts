import { type InstrumentSpec, instrumentTable, prometheusName } from '../../src/foundation/domain/instruments.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|')
const code = (texts: readonly string[]): string => texts.map((text) => `\`${text}\``).join(', ')

export function metricsPage(): string {
  const lines = [
    '# Metrics',
    '',
    'Made by `npm run docs` from `src/foundation/domain/instruments.ts`; edit that.',
    '',
    'One set of figures, read in two ways. `GET /metrics` shows them as Prometheus text; with `METRICS_TOKEN` set it wants that',
    'token as bearer. With `OTEL_EXPORTER_OTLP_ENDPOINT` set the same figures are pushed by OTLP gRPC every 60 seconds, under',
    'the names of the second column. Names that begin with `gen_ai` and their labels are those of the OpenTelemetry conventions',
    'for generative AI; in the scrape, dots are underscores.',
    '',
    'No label carries what a client sent: a model is the foundation model behind the requested id, or `other`; a tool is one that',
    'is well known, or `mcp` or `other`; endpoints have the names that administrators gave them.',
    '',
    'Everything is counted by this process since its start. With several instances, add counters up and take the highest age;',
    '`gateway_outbox_*` is read from the database and is the same on all. With `WORKERS` above 1 one scrape shows all workers of',
    'the port, each with a label `worker`; pushes come from each worker by itself.',
    '',
    '| Prometheus | OpenTelemetry | Kind | Labels | Meaning |',
    '|---|---|---|---|---|',
  ]
  for (const [name, spec] of Object.entries<InstrumentSpec>(instrumentTable))
    lines.push(
      `| \`${prometheusName(name, spec)}\` | \`${name}\` | ${spec.kind} | ${code(spec.labels) || '–'} | ${cell(spec.text)} |`,
    )
  lines.push('', '## Buckets', '', '| Histogram | Upper ends |', '|---|---|')
  for (const [name, spec] of Object.entries<InstrumentSpec>(instrumentTable))
    if (spec.buckets !== undefined) lines.push(`| \`${prometheusName(name, spec)}\` | ${spec.buckets.join(', ')} |`)
  return `${lines.join('\n')}\n`
}

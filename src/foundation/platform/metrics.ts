/** One set of instruments, read in two ways: scraped at /metrics, and pushed by OTLP when an address is given. */
import { DiagLogLevel, diag, ValueType } from '@opentelemetry/api'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type CollectionResult,
  DataPointType,
  type MetricData,
  type MetricReader,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { bucketCounts, createHistogramFamily, type HistogramFamily } from './histogram.ts'

export type Labels = Readonly<Record<string, string>>
export type Show = (value: number, labels?: Labels) => void

export interface Instrument {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly unit: string
  readonly text: string
  readonly prometheusName: string
  readonly buckets: readonly number[]
}

/**
 * Numbers are kept by those who count and only read here: the SDK's own instruments sort and hash their labels at
 * every call, which is too much for a path that is measured in microseconds.
 */
export interface Instruments<Name extends string> {
  /** `read` is called at each collection and shows every series once. */
  readonly observe: (name: Name, read: (show: Show) => void) => void
  readonly histogram: (name: Name) => HistogramFamily
}

export interface Metrics<Name extends string> {
  readonly instruments: Instruments<Name>
  /** The Prometheus text of this moment. */
  readonly scrape: () => Promise<string>
  /** Sends what there is to the receiver now; nothing happens without one. */
  readonly push: () => Promise<void>
  readonly shutdown: () => Promise<void>
}

export interface MetricsOptions<Name extends string> {
  readonly version: string
  readonly instanceId: string
  readonly otlpEndpoint: string | null
  readonly table: Readonly<Record<Name, Instrument>>
  readonly onUnreadable: (name: string, error: unknown) => void
  /** The libraries report failed pushes, of traces too, through one channel of the process. */
  readonly onPushProblem: (text: string) => void
}

type Points = readonly { readonly attributes: Labels; readonly value: MetricValue }[]
type MetricValue = number | ReturnType<typeof bucketCounts>

const PUSH_INTERVAL_MS = 60_000

export async function createMetrics<Name extends string>(options: MetricsOptions<Name>): Promise<Metrics<Name>> {
  const readers = new Map<Name, () => Points>()
  const resource = resourceFromAttributes({
    'service.name': 'causeway',
    'service.version': options.version,
    'service.instance.id': options.instanceId,
  })
  const startTime = toHrTime(Date.now())
  const findInstrument = (name: Name): Instrument => {
    const instrument = options.table[name]
    if (instrument === undefined) throw new Error(`the metric ${name} is not in the table`)
    if (readers.has(name)) throw new Error(`the metric ${name} is shown twice`)
    return instrument
  }

  const collect = (naming: (name: Name) => { readonly name: string; readonly unit: string }): CollectionResult => {
    const endTime = toHrTime(Date.now())
    const errors: unknown[] = []
    const metrics: MetricData[] = []
    for (const [name, read] of readers) {
      const { kind, text } = options.table[name]
      try {
        const dataPoints = read().map((point) => ({ ...point, startTime, endTime }))
        const descriptor = { ...naming(name), description: text, valueType: ValueType.DOUBLE }
        metrics.push({ ...findShape(kind), descriptor, dataPoints } as MetricData)
      } catch (error) {
        // failure-modes: metric unreadable. One figure is missing; the others are shown.
        options.onUnreadable(name, error)
        errors.push(error)
      }
    }
    const scope = { name: 'causeway', version: options.version }
    return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors }
  }

  const quiet = (): void => {}
  const tell = (text: string): void => options.onPushProblem(text)
  const logger = { error: tell, warn: tell, info: quiet, debug: quiet, verbose: quiet }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const scraper = new PrometheusExporter({ preventServerStart: true })
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true)
  // In the text the unit is part of the name, and a UNIT line would belong to another format.
  const scraped = (name: Name) => ({ name: options.table[name].prometheusName, unit: '' })
  scraper.setMetricProducer({ collect: () => Promise.resolve(collect(scraped)) })
  const pushing = options.otlpEndpoint === null ? undefined : await pushingReader(options.otlpEndpoint)
  const pushed = (name: Name) => ({ name, unit: options.table[name].unit })
  pushing?.setMetricProducer({ collect: () => Promise.resolve(collect(pushed)) })

  return {
    instruments: {
      observe: (name, read) => {
        if (findInstrument(name).kind === 'histogram') throw new Error(`the metric ${name} is a histogram`)
        readers.set(name, () => {
          const points: { attributes: Labels; value: number }[] = []
          read((value, attributes = {}) => points.push({ attributes, value }))
          return points
        })
      },
      histogram: (name) => {
        const family = createHistogramFamily(findInstrument(name).buckets)
        // Series that nothing was counted in yet would be a screenful of zeros each.
        readers.set(name, () => family.used().map((one) => ({ attributes: one.labels, value: bucketCounts(one) })))
        return family
      },
    },
    scrape: async () => `${serializer.serialize((await scraper.collect()).resourceMetrics)}\n`,
    push: async () => {
      await pushing?.forceFlush()
    },
    shutdown: async () => {
      // failure-modes: metrics receiver away. The last minute of pushed metrics is lost; the process ends all the same.
      await Promise.all([scraper.shutdown(), pushing?.shutdown({ timeoutMillis: 2_000 })]).catch(() => {})
    },
  }
}

function findShape(kind: Instrument['kind']) {
  const aggregationTemporality = AggregationTemporality.CUMULATIVE
  if (kind === 'histogram') return { aggregationTemporality, dataPointType: DataPointType.HISTOGRAM }
  if (kind === 'gauge') return { aggregationTemporality, dataPointType: DataPointType.GAUGE }
  return { aggregationTemporality, dataPointType: DataPointType.SUM, isMonotonic: true }
}

function toHrTime(unixMs: number): [number, number] {
  return [Math.floor(unixMs / 1000), (unixMs % 1000) * 1_000_000]
}

/** gRPC is large and rarely used, so it is loaded only when wanted. */
async function pushingReader(url: string): Promise<MetricReader> {
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-grpc')
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url }),
    exportIntervalMillis: PUSH_INTERVAL_MS,
  })
}

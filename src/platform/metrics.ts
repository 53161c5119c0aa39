/** One set of instruments, read in two ways: scraped at /metrics, and pushed by OTLP when an address is given. */
import type { Meter } from '@opentelemetry/api'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { type IMetricReader, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'

export type { Meter } from '@opentelemetry/api'

export interface Metrics {
  readonly meter: Meter
  /** The Prometheus text of this moment. */
  readonly scrape: () => Promise<string>
  readonly shutdown: () => Promise<void>
}

export interface MetricsOptions {
  readonly version: string
  readonly otlpEndpoint: string | null
}

const PUSH_INTERVAL_MS = 60_000

export async function createMetrics(options: MetricsOptions): Promise<Metrics> {
  const scraper = new PrometheusExporter({ preventServerStart: true })
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true)
  const readers: IMetricReader[] = [scraper]
  if (options.otlpEndpoint !== null) readers.push(await pushingReader(options.otlpEndpoint))
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'service.name': 'causeway', 'service.version': options.version }),
    readers,
  })
  const meter = provider.getMeter('causeway', options.version)
  meter
    .createObservableGauge('gateway_build_info', { description: 'Always 1; the labels say which build runs.' })
    .addCallback((result) => result.observe(1, { version: options.version, node: process.version }))
  return {
    meter,
    scrape: async () => serializer.serialize((await scraper.collect()).resourceMetrics),
    shutdown: async () => {
      // failure-modes: metrics receiver away. The last minute of pushed metrics is lost; the process ends all the same.
      await provider.shutdown().catch(() => {})
    },
  }
}

/** gRPC is large and rarely used, so it is loaded only when wanted. */
async function pushingReader(url: string): Promise<IMetricReader> {
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-grpc')
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url }),
    exportIntervalMillis: PUSH_INTERVAL_MS,
  })
}

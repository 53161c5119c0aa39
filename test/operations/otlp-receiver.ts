/** A real gRPC receiver of metrics and traces, which keeps what it is sent in plain objects. */
import path from 'node:path'
import { type handleUnaryCall, Server, ServerCredentials, type ServiceDefinition } from '@grpc/grpc-js'
import { type ServiceDefinition as LoadedService, loadSync } from '@grpc/proto-loader'

export type AttributeValue = string | number | boolean | readonly AttributeValue[]
export type Attributes = Readonly<Record<string, AttributeValue>>

export interface ReceivedPoint {
  readonly attributes: Attributes
  readonly value: number
  /** Of histograms. */
  readonly count?: number
  readonly bounds?: readonly number[]
}

export interface ReceivedMetric {
  readonly name: string
  readonly unit: string
  readonly kind: 'gauge' | 'sum' | 'histogram'
  readonly monotonic: boolean
  readonly points: readonly ReceivedPoint[]
}

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly kind: number
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  readonly error: string | null
}

export interface OtlpReceiver {
  readonly url: string
  /** Of the last push. */
  readonly metrics: () => readonly ReceivedMetric[]
  readonly pushes: () => number
  readonly resource: () => Attributes
  readonly spans: readonly ReceivedSpan[]
  readonly close: () => void
}

interface Raw {
  readonly [key: string]: unknown
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const loaded = loadSync(path.join(import.meta.dirname, 'otlp.proto'), { longs: Number, bytes: Buffer, oneofs: true })
  const decoding = loaded['otlp.Decoding'] as LoadedService
  let metrics: readonly ReceivedMetric[] = []
  let resource: Attributes = {}
  let pushes = 0
  const spans: ReceivedSpan[] = []
  const server = new Server()
  const answer =
    (take: (request: Raw) => void): handleUnaryCall<Raw, Raw> =>
    ({ request }, done) => {
      take(request)
      done(null, {})
    }
  const service = (name: string, method: string): ServiceDefinition =>
    ({ Export: { ...decoding[method], path: `/opentelemetry.proto.collector.${name}/Export` } }) as ServiceDefinition
  server.addService(service('metrics.v1.MetricsService', 'Metrics'), {
    Export: answer((request) => {
      const parts = list(request, 'resourceMetrics')
      resource = buildAttributes(list(parts[0]?.['resource'] as Raw | undefined, 'attributes'))
      metrics = parts
        .flatMap((part) => list(part, 'scopeMetrics'))
        .flatMap((scope) => list(scope, 'metrics'))
        .map(toMetric)
      pushes += 1
    }),
  })
  server.addService(service('trace.v1.TraceService', 'Traces'), {
    Export: answer((request) => {
      const scopes = list(request, 'resourceSpans').flatMap((part) => list(part, 'scopeSpans'))
      spans.push(...scopes.flatMap((scope) => list(scope, 'spans')).map(toSpan))
    }),
  })
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  )
  return {
    url: `http://127.0.0.1:${port}`,
    metrics: () => metrics,
    pushes: () => pushes,
    resource: () => resource,
    spans,
    close: () => server.forceShutdown(),
  }
}

function list(parent: Raw | undefined, key: string): readonly Raw[] {
  return (parent?.[key] ?? []) as readonly Raw[]
}

function buildAttributes(pairs: readonly Raw[]): Attributes {
  return Object.fromEntries(pairs.map((pair) => [pair['key'] as string, plain(pair['value'] as Raw)]))
}

function plain(value: Raw): AttributeValue {
  if (value['value'] === 'arrayValue') return list(value['arrayValue'] as Raw, 'values').map(plain)
  return value[value['value'] as string] as AttributeValue
}

function toMetric(raw: Raw): ReceivedMetric {
  const kind = raw['data'] as ReceivedMetric['kind']
  const data = raw[kind] as Raw
  return {
    name: raw['name'] as string,
    unit: (raw['unit'] ?? '') as string,
    kind,
    monotonic: data['isMonotonic'] === true,
    points: list(data, 'dataPoints').map((point) => ({
      attributes: buildAttributes(list(point, 'attributes')),
      value: (kind === 'histogram' ? point['sum'] : point[point['value'] as string]) as number,
      ...(kind === 'histogram'
        ? { count: point['count'] as number, bounds: point['explicitBounds'] as readonly number[] }
        : {}),
    })),
  }
}

function toSpan(raw: Raw): ReceivedSpan {
  const hex = (key: string): string => ((raw[key] ?? Buffer.alloc(0)) as Buffer).toString('hex')
  const status = (raw['status'] ?? {}) as Raw
  return {
    traceId: hex('traceId'),
    spanId: hex('spanId'),
    parentSpanId: hex('parentSpanId'),
    name: raw['name'] as string,
    kind: raw['kind'] as number,
    startMs: (raw['startTimeUnixNano'] as number) / 1e6,
    endMs: (raw['endTimeUnixNano'] as number) / 1e6,
    attributes: buildAttributes(list(raw, 'attributes')),
    error: status['code'] === 2 ? (status['message'] as string) : null,
  }
}

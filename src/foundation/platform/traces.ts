/** Turns finished trees of spans into OpenTelemetry and sends them by OTLP. Nothing is made while a call runs. */
import { type Attributes, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'

export interface SpanNode {
  readonly name: string
  readonly kind: 'server' | 'client' | 'internal'
  /** Unix time. */
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  /** Set when it failed: the kind of failure, never a text of the client's. */
  readonly error: string | null
  readonly children: readonly SpanNode[]
}

export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  readonly sampled: boolean
}

export interface Traces {
  readonly write: (root: SpanNode, parent: TraceParent | undefined) => void
  readonly flush: () => Promise<void>
  readonly shutdown: () => Promise<void>
}

export interface TracesOptions {
  readonly version: string
  readonly instanceId: string
  readonly endpoint: string
}

const SHUTDOWN_MS = 2_000
const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const

export async function createTraces({ version, instanceId, endpoint }: TracesOptions): Promise<Traces> {
  const [{ OTLPTraceExporter }, sdk] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-grpc'),
    import('@opentelemetry/sdk-trace'),
  ])
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'causeway',
      'service.version': version,
      'service.instance.id': instanceId,
    }),
    sampler: new sdk.AlwaysOnSampler(),
    // A receiver that is away costs the oldest spans, never the memory of the process.
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: endpoint }),
        maxQueueSize: 16_384,
        maxExportBatchSize: 1_024,
      }),
    ],
  })
  const tracer = provider.getTracer('causeway', version)

  const write = (node: SpanNode, context = ROOT_CONTEXT): void => {
    const { name, startMs, endMs, attributes, error } = node
    const span = tracer.startSpan(name, { kind: kinds[node.kind], startTime: startMs, attributes }, context)
    if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
    const within = trace.setSpan(context, span)
    for (const child of node.children) write(child, within)
    span.end(Math.max(startMs, endMs))
  }

  return {
    write: (root, parent) => write(root, parent === undefined ? ROOT_CONTEXT : toContext(parent)),
    flush: () => provider.forceFlush(),
    shutdown: async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, SHUTDOWN_MS)
      // failure-modes: metrics receiver away. The last spans are lost; the process ends all the same.
      await Promise.race([provider.shutdown().catch(() => {}), promise])
      clearTimeout(timer)
    },
  }
}

function toContext({ traceId, spanId }: TraceParent) {
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true })
}

const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** W3C Trace Context: undefined for what is malformed, as if no header had come. */
export function parseTraceparent(header: unknown): TraceParent | undefined {
  if (typeof header !== 'string') return undefined
  const [, version, traceId = '', spanId = '', flags = '', rest] = traceparent.exec(header.trim()) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** One trace for each call: the stages as children, each try at an endpoint below its stage. Marks now, spans at the end. */
import type { CallStage, CallTrace, CallTracer } from '../data-plane/ports.ts'
import { modelIdForText } from '../domain/model-id.ts'
import type { SpendRecord } from '../domain/spend-record.ts'
import { promptTokens } from '../domain/usage.ts'
import type { Clock } from '../platform/clock.ts'
import { parseTraceparent, type SpanNode, type Traces } from '../platform/traces.ts'

interface Mark {
  readonly stage: CallStage
  readonly atMs: number
}

interface Seen {
  readonly requestId: string
  readonly startMs: number
  readonly endMs: number
  readonly marks: readonly Mark[]
  readonly record: SpendRecord | undefined
  readonly refusal: { readonly code: string; readonly status: number } | undefined
}

export function createCallTracer(traces: Pick<Traces, 'write'>, clock: Clock): CallTracer {
  return {
    begin: (requestId, headers) => {
      const parent = parseTraceparent(headers['traceparent'])
      // Whoever began the trace has decided not to keep it.
      if (parent?.sampled === false) return undefined
      const offsetMs = clock.nowMs() - clock.monotonicMs()
      const now = (): number => clock.monotonicMs() + offsetMs
      const startMs = now()
      const marks: Mark[] = [{ stage: 'authenticate', atMs: startMs }]
      let record: SpendRecord | undefined
      let refusal: Seen['refusal']
      const trace: CallTrace = {
        enter: (stage) => void marks.push({ stage, atMs: now() }),
        account: (made) => {
          record = made
          marks.push({ stage: 'account', atMs: now() })
        },
        refused: (code, status) => {
          refusal = { code, status }
        },
        end: () => traces.write(rootOf({ requestId, startMs, endMs: now(), marks, record, refusal }), parent),
      }
      return trace
    },
  }
}

function rootOf(seen: Seen): SpanNode {
  const { record, refusal } = seen
  const error = refusal?.code ?? record?.errorType ?? null
  const status = refusal?.status ?? record?.status
  return {
    name: 'chat',
    kind: 'server',
    startMs: seen.startMs,
    endMs: seen.endMs,
    error,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'aws.bedrock',
      'gateway.request_id': seen.requestId,
      ...(status === undefined ? {} : { 'http.response.status_code': status }),
      ...(error === null ? {} : { 'error.type': error }),
      ...(record === undefined ? {} : attributesOf(record)),
    },
    children: seen.marks.map((mark, index) => stageOf(mark, seen.marks[index + 1]?.atMs ?? seen.endMs, record)),
  }
}

/** Ids and figures. Names of people, tools and sessions stay out, and so does every word of the conversation. */
function attributesOf(record: SpendRecord): SpanNode['attributes'] {
  const { usage } = record
  const ids = { 'gateway.key_id': record.keyId, 'gateway.user_id': record.userId, 'gateway.team_id': record.teamId }
  return {
    ...Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== null)),
    ...(record.model === '' ? {} : { 'gen_ai.request.model': modelIdForText(record.model) }),
    ...(record.stopReason === null ? {} : { 'gen_ai.response.finish_reasons': [record.stopReason] }),
    ...(record.endpointId === null ? {} : { 'gateway.endpoint_id': record.endpointId }),
    ...(record.firstTokenMs === null ? {} : { 'gateway.first_token_ms': record.firstTokenMs }),
    'gen_ai.usage.input_tokens': promptTokens(usage),
    'gen_ai.usage.output_tokens': usage.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cacheReadTokens,
    'gen_ai.usage.cache_creation.input_tokens': usage.cacheWrite5mTokens + usage.cacheWrite1hTokens,
    'gateway.cost_usd': record.costNanoUsd / 1e9,
    'gateway.streaming': record.streaming,
    'gateway.attempts': record.attempts.length,
    'gateway.flags': [...record.flags],
  }
}

function stageOf({ stage, atMs }: Mark, endMs: number, record: SpendRecord | undefined): SpanNode {
  const children = stage === 'call-provider' ? attemptsOf(atMs, record) : []
  return { name: stage, kind: 'internal', startMs: atMs, endMs, attributes: {}, error: null, children }
}

/** Tries follow each other, so each begins where the one before ended. */
function attemptsOf(fromMs: number, record: SpendRecord | undefined): SpanNode[] {
  let startMs = fromMs
  return (record?.attempts ?? []).map(({ endpointId, status, error, durationMs }) => {
    const began = startMs
    startMs += durationMs
    return {
      name: 'attempt',
      kind: 'client' as const,
      startMs: began,
      endMs: startMs,
      attributes: { 'gateway.endpoint_id': endpointId, 'http.response.status_code': status },
      error,
      children: [],
    }
  })
}

/** One trace for each call: the stages as children, each try at an endpoint below its stage. Marks now, spans at the end. */

import { modelIdForText } from '../../foundation/domain/model-id.ts'
import type { SpendRecord } from '../../foundation/domain/spend-record.ts'
import { promptTokens } from '../../foundation/domain/usage.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { parseTraceparent, type SpanNode, type Traces } from '../../foundation/platform/traces.ts'
import type { CallStage, CallTrace, CallTracer } from '../ports.ts'

interface Mark {
  readonly stage: CallStage
  readonly atMs: number
}

interface Seen {
  readonly requestId: string
  readonly startMs: number
  readonly endMs: number
  readonly marks: readonly Mark[]
  /** One for each round; most calls have one. */
  readonly records: readonly SpendRecord[]
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
      const records: SpendRecord[] = []
      let refusal: Seen['refusal']
      const trace: CallTrace = {
        enter: (stage) => void marks.push({ stage, atMs: now() }),
        account: (record) => {
          records.push(record)
          marks.push({ stage: 'account', atMs: now() })
        },
        refused: (code, status) => {
          refusal = { code, status }
        },
        end: () => traces.write(buildRootSpan({ requestId, startMs, endMs: now(), marks, records, refusal }), parent),
      }
      return trace
    },
  }
}

function buildRootSpan(seen: Seen): SpanNode {
  const { records, refusal } = seen
  const record = records.at(-1)
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
      ...defined({ 'http.response.status_code': status, 'error.type': error ?? undefined }),
      ...(record === undefined ? {} : buildAttributes(record, records)),
    },
    children: buildStageSpans(seen),
  }
}

/** Ids and figures. Names of people, tools and sessions stay out, and so does every word of the conversation. */
function buildAttributes(record: SpendRecord, rounds: readonly SpendRecord[]): SpanNode['attributes'] {
  const sum = (figure: (one: SpendRecord) => number): number => rounds.reduce((total, one) => total + figure(one), 0)
  const ids = { 'gateway.key_id': record.keyId, 'gateway.user_id': record.userId, 'gateway.team_id': record.teamId }
  return {
    ...Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== null)),
    ...(record.model === '' ? {} : { 'gen_ai.request.model': modelIdForText(record.model) }),
    ...(record.stopReason === null ? {} : { 'gen_ai.response.finish_reasons': [record.stopReason] }),
    ...defined({
      'gateway.endpoint_id': record.endpointId ?? undefined,
      'gateway.first_token_ms': record.firstTokenMs ?? undefined,
    }),
    'gen_ai.usage.input_tokens': sum(({ usage }) => promptTokens(usage)),
    'gen_ai.usage.output_tokens': sum(({ usage }) => usage.outputTokens),
    'gen_ai.usage.cache_read.input_tokens': sum(({ usage }) => usage.cacheReadTokens),
    'gen_ai.usage.cache_creation.input_tokens': sum(({ usage }) => usage.cacheWrite5mTokens + usage.cacheWrite1hTokens),
    'gateway.cost_usd': sum(({ costNanoUsd }) => costNanoUsd) / 1e9,
    'gateway.web_searches': sum(({ webSearches }) => webSearches),
    'gateway.streaming': record.streaming,
    'gateway.attempts': sum(({ attempts }) => attempts.length),
    'gateway.flags': [...record.flags],
  }
}

function buildStageSpans({ marks, endMs, records }: Seen): SpanNode[] {
  let round = 0
  return marks.map(({ stage, atMs }, index) => ({
    name: stage,
    kind: 'internal',
    startMs: atMs,
    endMs: marks[index + 1]?.atMs ?? endMs,
    attributes: {},
    error: null,
    children: stage === 'call-provider' ? buildAttemptSpans(atMs, records[round++]) : [],
  }))
}

/** Tries follow each other, so each begins where the one before ended. */
function buildAttemptSpans(fromMs: number, record: SpendRecord | undefined): SpanNode[] {
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

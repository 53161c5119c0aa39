import { randomUUID } from 'node:crypto'
import type { Answer, ContentBlock } from '../answer/answer.ts'
import { composeAnswer, fixedAnswer } from '../answer/answer-content.ts'
import { countPrompt } from '../answer/prompt-cache.ts'
import { readText, toPromptSegments } from '../answer/prompt-segments.ts'
import { judgeToolCalls } from '../answer/safeguard-results.ts'
import { countTokens } from '../answer/token-counter.ts'
import { fingerprintUsage, fromWireUsage, toWireUsage, type Usage, type WireUsage } from '../answer/usage.ts'
import type { Pace } from '../behaviour.ts'
import { checkRequest, parseRequestBody } from '../checks/check-request.ts'
import { findRules } from '../checks/model-rules.ts'
import { isGone } from '../connection.ts'
import { sendJson } from '../exchange.ts'
import { isRecord } from '../json-value.ts'
import { type MessageParts, type StreamEvent, toEvents, toMessage } from '../stream/message-events.ts'
import { sendStream } from '../stream/send-stream.ts'
import { validationError } from './aws-error.ts'
import type { Call } from './call.ts'
import type { CatalogModel } from './model-catalog.ts'
import { resolveModel } from './resolve-model.ts'

type Body = Readonly<Record<string, unknown>>

export async function invokeModel(call: Call, modelId: string): Promise<void> {
  const { startedAtMs, parts } = await prepare(call, modelId)
  if (isGone(call.exchange.response)) {
    call.entry.aborted = true
    return
  }
  const usage = call.entry.usage ?? fingerprintUsage(call.entry.n)
  const latencyMs = String(Math.max(1, Date.now() - startedAtMs))
  sendJson(call.exchange.response, 200, toMessage(parts), {
    ...servedHeaders(call),
    'x-amzn-bedrock-input-token-count': String(usage.input),
    'x-amzn-bedrock-output-token-count': String(usage.output),
    'x-amzn-bedrock-cache-read-input-token-count': String(usage.cache_read),
    'x-amzn-bedrock-cache-write-input-token-count': String(usage.cache_write_5m + usage.cache_write_1h),
    'x-amzn-bedrock-invocation-latency': latencyMs,
  })
  call.entry.usageSent = usage
  call.entry.completed = true
}

export async function invokeModelWithResponseStream(call: Call, modelId: string): Promise<void> {
  call.entry.streaming = true
  const { parts } = await prepare(call, modelId)
  const { response } = call.exchange
  response.writeHead(200, {
    'content-type': 'application/vnd.amazon.eventstream',
    'x-amzn-bedrock-content-type': 'application/json',
    ...servedHeaders(call),
  })
  await sendStream(call, toEvents(parts), choosePace(call), {
    eventSent(event) {
      call.entry.usageSent = usageAfter(call, event) ?? call.entry.usageSent
    },
  })
}

function servedHeaders(call: Call): Record<string, string> {
  return {
    'x-amzn-requestid': call.entry.requestId,
    'x-amzn-bedrock-performanceconfig-latency': 'standard',
    'x-amzn-bedrock-service-tier': 'default',
  }
}

function choosePace(call: Call): Pace {
  return { ...call.state.settings.pace, ...call.behaviour.pace }
}

/** Checks the request and settles the whole answer before the first byte goes out. */
async function prepare(
  call: Call,
  modelId: string,
): Promise<{ readonly startedAtMs: number; readonly parts: MessageParts }> {
  const startedAtMs = Date.now()
  const { state, entry, behaviour } = call
  const model = resolveModel(state, call.caller, modelId)
  const isStrict = state.settings.checks === 'strict'
  const needsBody = isStrict || state.settings.answers === 'conversation' || chooseTokenMode(call) === 'counted'
  const body: Body = needsBody ? parseRequestBody(call.exchange.body) : {}
  entry.userId = readUserId(body)
  if (isStrict) entry.betas = checkRequest(body, model, state.profiles.rulesModelId(model.foundationModelId)).betas
  const answer = scriptedAnswer(call, body)
  const usage = await countUsage(call, model, body, answer)
  const wire = overrideUsage(call, toWireUsage(usage))
  entry.usage = fromWireUsage(wire, usage)
  entry.status = 200
  const scripted = behaviour.answer
  const isOmitted = scripted?.omitUsage === 'all'
  const parts: MessageParts = {
    id: `msg_bdrk_01${randomUUID().replaceAll('-', '').slice(0, 22)}`,
    model: scripted?.model ?? model.apiModelId,
    answer,
    safeguardResults: judgeToolCalls(body, answer),
    startUsage: isOmitted
      ? undefined
      : {
          ...wire,
          ...(scripted?.usage && 'output_tokens' in scripted.usage ? {} : openingOutput(wire)),
          ...scripted?.startUsage,
        },
    deltaUsage: isOmitted ? undefined : { ...wire, ...scripted?.deltaUsage },
    metrics: {
      inputTokenCount: usage.input,
      outputTokenCount: usage.output,
      invocationLatency: Math.max(1, Date.now() - startedAtMs),
      firstByteLatency: Math.max(1, Date.now() - startedAtMs),
      cacheReadInputTokenCount: usage.cache_read,
      cacheWriteInputTokenCount: usage.cache_write_5m + usage.cache_write_1h,
    },
  }
  return { startedAtMs, parts }
}

/** message_start already counts the first token or two, long before the end is known. */
function openingOutput(wire: WireUsage): WireUsage {
  return 'output_tokens' in wire ? { output_tokens: Math.min(2, Number(wire['output_tokens'])) } : {}
}

function readUserId(body: Body): string | null {
  const metadata = body['metadata']
  const userId = isRecord(metadata) ? metadata['user_id'] : undefined
  return typeof userId === 'string' ? userId : null
}

function scriptedAnswer(call: Call, body: Body): Answer {
  const scripted = call.behaviour.answer
  const base = call.state.settings.answers === 'fixed' ? fixedAnswer : composeAnswer(body)
  if (!scripted) return base
  return {
    content: (scripted.content as readonly ContentBlock[] | undefined) ?? base.content,
    stopReason: scripted.stopReason === undefined ? base.stopReason : scripted.stopReason,
    stopSequence: base.stopSequence,
  }
}

function chooseTokenMode(call: Call): 'counted' | 'fingerprint' {
  return call.behaviour.tokenMode ?? call.state.settings.tokenMode
}

async function countUsage(call: Call, model: CatalogModel, body: Body, answer: Answer): Promise<Usage> {
  const { state, caller, entry } = call
  if (chooseTokenMode(call) === 'fingerprint') {
    if (state.settings.checks === 'strict') refuseLongPrompt(Math.ceil(call.exchange.body.length / 4), body, model)
    return fingerprintUsage(entry.n)
  }
  const segments = toPromptSegments(body)
  refuseLongPrompt(await countPrompt(segments), body, model)
  const prompt = await state.promptCache.count(segments, {
    account: caller.account,
    region: caller.region,
    foundationModelId: model.foundationModelId,
    minimumTokens: findRules(state.profiles.rulesModelId(model.foundationModelId)).cacheMinimumTokens,
    nowMs: state.now(),
  })
  const output = await countTokens(answer.content.map(readText).join('\n'))
  return {
    input: prompt.input,
    output: answer.content.length === 0 ? 0 : Math.max(1, Math.min(output, Number(body['max_tokens'] ?? output))),
    cache_read: prompt.cacheRead,
    cache_write_5m: prompt.cacheWrite5m,
    cache_write_1h: prompt.cacheWrite1h,
  }
}

function refuseLongPrompt(tokens: number, body: Body, model: CatalogModel): void {
  if (tokens > model.contextWindow) {
    throw validationError(`prompt is too long: ${tokens} tokens > ${model.contextWindow} maximum`)
  }
  const maxTokens = Number(body['max_tokens'] ?? 0)
  if (tokens + maxTokens > model.contextWindow) {
    throw validationError(
      `input length and \`max_tokens\` exceed context limit: ${tokens} + ${maxTokens} > ${model.contextWindow}, decrease input length or \`max_tokens\` and try again`,
    )
  }
}

function overrideUsage(call: Call, wire: Record<string, unknown>): Record<string, unknown> {
  const scripted = call.behaviour.answer
  const merged = { ...wire, ...scripted?.usage }
  const omitted = scripted?.omitUsage
  if (Array.isArray(omitted)) for (const name of omitted) delete merged[name]
  return merged
}

/** The counts a caller can know once this event has reached it. */
function usageAfter(call: Call, event: StreamEvent): Usage | undefined {
  const holder = event.type === 'message_start' && isRecord(event['message']) ? event['message'] : event
  const wire = holder['usage']
  if (!isRecord(wire)) return undefined
  return fromWireUsage(wire, call.entry.usageSent)
}

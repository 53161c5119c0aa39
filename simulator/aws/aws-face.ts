import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Exchange, readExchange, sendJson, sendText } from '../exchange.ts'
import type { LedgerEntry } from '../ledger.ts'
import type { SimulatorState } from '../state.ts'
import { authenticate, type Caller } from './authenticate.ts'
import { AwsError, type AwsErrorDetail } from './aws-error.ts'
import type { Call } from './call.ts'
import { findOperation, type Operation } from './operations.ts'
import { isPriceListPath, priceListRegion, sendPriceList } from './price-list.ts'
import { findFoundationModelId } from './resolve-model.ts'
import { actBeforeAnswer } from './script-actions.ts'
import { sha256Hex } from './sigv4.ts'
import { escapeXml, sendXmlError } from './xml-reply.ts'

/** Serves one request to any of the simulated AWS services. */
export async function serveAws(
  state: SimulatorState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const startedAtMs = performance.now()
  const exchange = await readExchange(request, response)
  const bodySha256 = sha256Hex(exchange.body)
  const operation = findOperation(exchange)
  const name = operation?.name ?? (isPriceListPath(exchange.rawPath) ? 'PriceList' : 'Unknown')
  const entry = state.ledger.open({ operation: name, requestId: randomUUID(), bodySha256 })
  state.recorder.request(entry.n, exchange, state.settings.recentRequests)
  response.on('close', () => {
    entry.aborted ||= !response.writableFinished && !entry.completed && entry.status === 0
    entry.durationMs = Math.round(performance.now() - startedAtMs)
  })
  try {
    if (operation) await serveOperation(state, exchange, entry, operation)
    else if (name === 'PriceList') await servePriceList(state, exchange, entry)
    else throw new AwsError({ status: 404, type: 'UnknownOperationException', message: 'Unknown operation' })
  } catch (error) {
    sendError(exchange, entry, operation?.protocol ?? 'rest', toDetail(error))
  }
}

function toDetail(error: unknown): AwsErrorDetail {
  if (error instanceof AwsError) return error.detail
  // A fault of the simulator itself must look like one in a test's output.
  console.error(error)
  return { status: 500, type: 'InternalServerException', message: `simulator fault: ${String(error)}` }
}

async function serveOperation(
  state: SimulatorState,
  exchange: Exchange,
  entry: LedgerEntry,
  operation: Operation,
): Promise<void> {
  if (operation.modelId !== undefined) entry.modelId = operation.modelId
  const caller = authenticate(exchange, state.accounts, {
    service: operation.service,
    protocol: operation.protocol,
    nowMs: state.now(),
    clockSkewSeconds: state.settings.clockSkewSeconds,
    bodySha256: entry.bodySha256,
  })
  noteCaller(entry, caller)
  if (operation.modelId !== undefined) {
    entry.foundationModelId = findFoundationModelId(state, caller, operation.modelId) ?? null
  }
  const behaviour = takeScript(state, exchange, entry, caller)
  const call: Call = { state, exchange, entry, caller, behaviour }
  if ((await actBeforeAnswer(call)) === 'answered') return
  await operation.run(call)
}

async function servePriceList(state: SimulatorState, exchange: Exchange, entry: LedgerEntry): Promise<void> {
  const anonymous: Caller = { accessKey: '', account: '', region: priceListRegion(exchange.rawPath) }
  const call: Call = {
    state,
    exchange,
    entry,
    caller: anonymous,
    behaviour: takeScript(state, exchange, entry, anonymous),
  }
  if ((await actBeforeAnswer(call)) === 'answered') return
  sendPriceList(call)
}

function takeScript(state: SimulatorState, exchange: Exchange, entry: LedgerEntry, caller: Caller): Call['behaviour'] {
  const facts = {
    operation: entry.operation,
    account: caller.account,
    region: caller.region,
    accessKey: caller.accessKey,
    modelId: entry.modelId ?? undefined,
    foundationModelId: entry.foundationModelId ?? undefined,
    body: exchange.body,
  }
  return state.scripts.take(facts) ?? {}
}

function noteCaller(entry: LedgerEntry, caller: Caller): void {
  entry.account = caller.account
  entry.accessKey = caller.accessKey
  entry.region = caller.region
  if (caller.roleArn !== undefined) entry.roleArn = caller.roleArn
  if (caller.externalId !== undefined) entry.externalId = caller.externalId
}

function sendError(
  exchange: Exchange,
  entry: LedgerEntry,
  protocol: Operation['protocol'],
  detail: AwsErrorDetail,
): void {
  const { response } = exchange
  entry.status = detail.status
  entry.errorType = detail.type
  if (response.headersSent) {
    response.destroy()
    return
  }
  const headers = { 'x-amzn-requestid': entry.requestId, ...detail.headers }
  if (protocol === 'xml')
    sendText(
      response,
      detail.status,
      `<Error><Code>${escapeXml(detail.type)}</Code><Message>${escapeXml(detail.message)}</Message><RequestId>${entry.requestId}</RequestId></Error>`,
      { 'content-type': 'application/xml', ...headers },
    )
  else if (protocol === 'query') sendXmlError(response, detail, headers)
  else if (protocol === 'json') {
    const body = JSON.stringify({ __type: detail.type, message: detail.message })
    sendText(response, detail.status, body, { 'content-type': 'application/x-amz-json-1.1', ...headers })
  } else sendJson(response, detail.status, { message: detail.message }, { 'x-amzn-errortype': detail.type, ...headers })
}

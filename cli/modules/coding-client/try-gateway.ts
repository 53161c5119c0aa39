/** One real request through the gateway, and what is left to spend. */
import type { Client } from '../../client/http-client.ts'
import type { Row } from '../../output/render.ts'

export type Trial =
  | {
      readonly kind: 'answered'
      readonly model: string
      readonly latencyMs: number
      readonly models: number
      readonly longContext: number
      readonly budget: Row
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly requestId: string | undefined }

const MODELS_PAGE = 1_000

export async function tryGateway(client: Client): Promise<Trial> {
  const { data } = await client.get('/v1/models', { limit: MODELS_PAGE })
  const ids: readonly string[] = data.map((model: Row) => model.id)
  const plain = ids.filter((id) => !id.endsWith('[1m]'))
  // The cheapest family, since the call is paid for.
  const model = plain.find((id) => id.includes('haiku')) ?? plain[0]
  if (model === undefined)
    return { kind: 'failed', reason: 'the gateway offers no model to you; ask an administrator', requestId: undefined }
  const startedMs = performance.now()
  const { status, body } = await client.ask('POST', '/v1/messages', {
    model,
    max_tokens: 16,
    messages: [{ role: 'user', content: 'Answer with OK.' }],
  })
  const latencyMs = Math.round(performance.now() - startedMs)
  if (status !== 200)
    return {
      kind: 'failed',
      reason: `${model}: ${body?.error?.message ?? `status ${status}`}`,
      requestId: body?.request_id,
    }
  const { body: budgets } = await client.ask('GET', '/me/budget')
  const tightest = [...(budgets?.budgets ?? [])].sort((a: Row, b: Row) => a.remaining_usd - b.remaining_usd)[0] ?? null
  return {
    kind: 'answered',
    model,
    latencyMs,
    models: plain.length,
    longContext: ids.length - plain.length,
    budget: tightest,
  }
}

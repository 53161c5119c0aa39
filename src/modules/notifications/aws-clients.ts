/** The clients for topics and event buses. Loaded when first needed: most gateways notify a webhook or nobody. */
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import type { SNSClient } from '@aws-sdk/client-sns'
import { failed, SEND_TIMEOUT_MS, type SendResult } from './send-result.ts'

export interface AwsClients {
  readonly topics: (region: string) => Promise<SNSClient>
  readonly buses: (region: string) => Promise<EventBridgeClient>
  readonly close: () => void
}

/** One attempt each: the outbox repeats, and knows how long it may. */
const settings = {
  maxAttempts: 1,
  requestHandler: { connectionTimeout: SEND_TIMEOUT_MS, requestTimeout: SEND_TIMEOUT_MS },
} as const

export function createAwsClients(): AwsClients {
  const topics = createLatest(async (region) => {
    const { SNSClient } = await import('@aws-sdk/client-sns')
    return new SNSClient({ region, ...settings })
  })
  const buses = createLatest(async (region) => {
    const { EventBridgeClient } = await import('@aws-sdk/client-eventbridge')
    return new EventBridgeClient({ region, ...settings })
  })
  return {
    topics: topics.of,
    buses: buses.of,
    close: () => {
      topics.close()
      buses.close()
    },
  }
}

/** Keeps the client of the last region only: there is one destination, and a test may name any region. */
function createLatest<C extends { readonly destroy: () => void }>(make: (region: string) => Promise<C>) {
  let latest: { readonly region: string; readonly client: Promise<C> } | undefined
  const close = (): void => {
    latest?.client.then(
      (client) => client.destroy(),
      // One that was never made needs no end; its user has the error.
      () => {},
    )
    latest = undefined
  }
  return {
    close,
    of: (region: string): Promise<C> => {
      if (latest?.region !== region) {
        close()
        latest = { region, client: make(region) }
      }
      return latest.client
    },
  }
}

/** Every way in which a call of a client can fail, in the terms of a delivery. */
export function failedCall(error: unknown): SendResult {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  if (name === 'AbortError' || name === 'TimeoutError') return failed('no complete answer in time', null)
  const { $metadata: metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } }
  return failed(`${name}: ${message}`, metadata?.httpStatusCode ?? null)
}

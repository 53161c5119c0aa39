/** What somebody who watches the gateway is told as it happens. */
import type { HealthStatus } from './endpoint.ts'
import type { NotificationEvent } from './notification.ts'
import type { SpendRecord } from './spend-record.ts'

export const liveTopics = ['requests', 'health', 'budgets', 'settings'] as const
export type LiveTopic = (typeof liveTopics)[number]

export type LiveEvent =
  | { readonly topic: 'requests'; readonly record: SpendRecord }
  | {
      readonly topic: 'health'
      readonly endpointId: string
      readonly endpoint: string
      readonly status: HealthStatus
      readonly reason: string | null
      readonly atMs: number
    }
  /** Whatever is notified: a budget reached a threshold, or a key its rate limit or nearly its end. */
  | { readonly topic: 'budgets'; readonly event: NotificationEvent }
  /** An administrator changed something, or somebody signed in. */
  | {
      readonly topic: 'settings'
      readonly at: string
      readonly actor: string
      readonly action: string
      readonly target: string | null
    }

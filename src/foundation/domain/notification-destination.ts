/** Where notifications go: a webhook, a topic or an event bus, and which categories it wants. */
import { regionPattern } from './endpoint.ts'
import type { EventCategory } from './notification.ts'

export const destinationTypes = ['webhook', 'topic', 'event_bus'] as const
export type DestinationType = (typeof destinationTypes)[number]

export interface Destination {
  readonly type: DestinationType
  /** A URL or an ARN. */
  readonly address: string
}

export type CategoryFlags = Readonly<Record<EventCategory, boolean>>

/** spec: Events. A category that came later is off until somebody wants it: receivers get nothing that they do not know. */
export const defaultCategories: CategoryFlags = { budget: true, rate_limit: false, keys: false, digest: false }

export interface DestinationArn {
  readonly region: string
  /** Of the topic or the bus. */
  readonly name: string
}

const topicArn = /^arn:aws[a-z-]{0,20}:sns:([^:]{1,40}):\d{12}:([\w-]{1,256}(?:\.fifo)?)$/
const busArn = /^arn:aws[a-z-]{0,20}:events:([^:]{1,40}):\d{12}:event-bus\/([\w./-]{1,256})$/

export function findDestinationArn({ type, address }: Destination): DestinationArn | undefined {
  const match = type === 'webhook' ? null : (type === 'topic' ? topicArn : busArn).exec(address)
  const [, arnRegion, name] = match ?? []
  if (arnRegion === undefined || name === undefined || !regionPattern.test(arnRegion)) return undefined
  return { region: arnRegion, name }
}

/** For BUDGET_NOTIFICATION_URL, which names no type. */
export function findDestination(address: string): Destination {
  const service = /^arn:[^:]*:([^:]*):/.exec(address)?.[1]
  if (service === undefined) return { type: 'webhook', address }
  return { type: service === 'sns' ? 'topic' : 'event_bus', address }
}

/** The place that a secret is stored for; undefined when the destination takes none. */
export function findSecretHome({ type, address }: Destination): string | undefined {
  return type === 'webhook' && URL.canParse(address) ? new URL(address).origin : undefined
}

/** Names the home of a secret when it is sealed: it cannot even be opened for another host. */
export function secretContext(home: string): string {
  return `notification_configs.secret:${home}`
}

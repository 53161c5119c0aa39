/** Notification destinations as the wire writes them. The secret goes in and never comes out. */
import { z } from 'zod'
import { invalidField, problem } from '../../foundation/domain/errors.ts'
import {
  type CategoryFlags,
  type Destination,
  destinationTypes,
  findDestinationArn,
  findSecretHome,
} from '../../foundation/domain/notification-destination.ts'
import { isShownAddress, shownAddress } from '../../foundation/domain/shown-address.ts'
import type { Delivery } from './deliveries.store.ts'
import type { NotificationConfig } from './notification-configs.store.ts'
import type { NotificationPorts } from './notification-ports.ts'

const flags = z.strictObject({
  budget: z.boolean().optional(),
  rate_limit: z.boolean().optional(),
  keys: z.boolean().optional(),
  digest: z.boolean().optional(),
})

const printable = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not have control characters')

export const draftBody = z.strictObject({
  destination_type: z.enum(destinationTypes),
  destination: printable(2_048),
  /** Kept as typed: a secret may well begin with a space. */
  secret: printable(1_024).nullable().optional(),
  categories: flags.optional(),
})
export type DraftBody = z.infer<typeof draftBody>

export const categoriesBody = z.strictObject({ categories: flags })

const typeAndAddress = { destination_type: z.enum(destinationTypes), destination: z.string() }

export const configSchema = z.object({
  ...typeAndAddress,
  has_secret: z.boolean(),
  categories: z.object({ budget: z.boolean(), rate_limit: z.boolean(), keys: z.boolean(), digest: z.boolean() }),
  tested_at: z.iso.datetime().nullable(),
  updated_at: z.iso.datetime(),
  updated_by: z.string(),
})

const deliverySchema = z.object({
  id: z.guid(),
  event_id: z.guid(),
  event_type: z.string(),
  ...typeAndAddress,
  status: z.enum(['delivered', 'failed']),
  attempt: z.int(),
  response_status: z.int().nullable(),
  error: z.string().nullable(),
  duration_ms: z.int(),
  created_at: z.iso.datetime(),
})

export const overviewSchema = z.object({
  active: configSchema.nullable(),
  draft: configSchema.nullable(),
  env_fallback: z.object(typeAndAddress).nullable(),
  history: z.array(deliverySchema),
})

export const testSchema = z.object({
  success: z.boolean(),
  response_status: z.int().nullable(),
  error: z.string().nullable(),
  duration_ms: z.int(),
})

export function toBody(config: NotificationConfig): z.infer<typeof configSchema> {
  return {
    ...toDestinationBody(config),
    has_secret: config.secret !== null,
    categories: config.categories,
    tested_at: config.testedAt,
    updated_at: config.updatedAt,
    updated_by: config.updatedBy,
  }
}

/** For whoever is no administrator, and for the audit trail, which outlives the destination. */
export function toShownBody(config: NotificationConfig): z.infer<typeof configSchema> {
  return { ...toBody(config), destination: shownAddress(config.address) }
}

function toDestinationBody({ type, address }: Destination) {
  return { destination_type: type, destination: address }
}

/** Of an address that is set elsewhere, and that nobody writes back. */
export function toShownDestination({ type, address }: Destination) {
  return { destination_type: type, destination: shownAddress(address) }
}

export function toDeliveryBody(delivery: Delivery): z.infer<typeof deliverySchema> {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    destination_type: delivery.destinationType,
    destination: delivery.destination,
    status: delivery.status,
    attempt: delivery.attempt,
    response_status: delivery.responseStatus,
    error: delivery.error,
    duration_ms: delivery.durationMs,
    created_at: delivery.createdAt,
  }
}

/** What is left out stays as it is. */
export function mergeFlags(before: CategoryFlags, given: z.infer<typeof flags>): CategoryFlags {
  return {
    budget: given.budget ?? before.budget,
    rate_limit: given.rate_limit ?? before.rate_limit,
    keys: given.keys ?? before.keys,
    digest: given.digest ?? before.digest,
  }
}

export function requireDestination(ports: Pick<NotificationPorts, 'checkUrl'>, body: DraftBody): Destination {
  const destination = { type: body.destination_type, address: body.destination }
  if (isShownAddress(destination.address))
    throw invalidField('destination', 'must be the whole address, of which only the origin is shown')
  const mistake = destination.type === 'webhook' ? ports.checkUrl(destination.address) : mistakeInArn(destination)
  if (mistake !== undefined) throw invalidField('destination', mistake)
  if (typeof body.secret === 'string' && destination.type !== 'webhook')
    throw invalidField('secret', 'only a webhook is signed with a secret')
  return destination
}

function mistakeInArn(destination: Destination): string | undefined {
  if (findDestinationArn(destination) !== undefined) return undefined
  return destination.type === 'topic'
    ? 'must be the ARN of a topic such as arn:aws:sns:us-east-1:123456789012:name'
    : 'must be the ARN of an event bus such as arn:aws:events:us-east-1:123456789012:event-bus/name'
}

/** A secret that was not sent again stays with the host that it was stored for, and goes to no other. */
export function keptSecret(destination: Destination, stored: NotificationConfig | null): Buffer | null {
  const home = findSecretHome(destination)
  if (stored === null || stored.secret === null || home === undefined) return null
  if (findSecretHome(stored) !== home)
    throw invalidField('secret', 'must be sent again for another host, or null to remove it')
  return stored.secret
}

export function requireTested(draft: NotificationConfig | null): void {
  if (draft === null) throw problem('conflict', { reason: 'There is no draft. Save one and test it first.' })
  if (draft.testedAt === null)
    throw problem('conflict', { reason: 'This draft has not been tested with success since it was last changed.' })
}

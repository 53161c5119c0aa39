/** A description as it may be kept under version control. */
import { shownAddress } from '../../../src/foundation/domain/shown-address.ts'
import type { GatewayDocument } from './document.ts'

/** Whoever knows the whole address of a webhook may post there; `apply` keeps the one that is stored. */
export function withoutSecrets(document: GatewayDocument): GatewayDocument {
  const { notifications } = document
  if (notifications?.destination === undefined) return document
  return { ...document, notifications: { ...notifications, destination: shownAddress(notifications.destination) } }
}

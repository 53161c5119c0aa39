/** Delivers one event to one destination, whatever its kind. Never throws: a failure is a result. */
import type { NotificationEvent } from '../../foundation/domain/notification.ts'
import {
  type Destination,
  findDestinationArn,
  findSecretHome,
  secretContext,
} from '../../foundation/domain/notification-destination.ts'
import type { OutgoingHttp } from '../../foundation/platform/outgoing-http.ts'
import { type AwsClients, createAwsClients } from './aws-clients.ts'
import { sendToEventBus } from './event-bus.ts'
import { failed, type SendResult } from './send-result.ts'
import { sendToTopic } from './topic.ts'
import { sendToWebhook } from './webhook.ts'

export interface SealedDestination extends Destination {
  readonly secret: Uint8Array | null
}

export interface Sender {
  readonly send: (destination: SealedDestination, event: NotificationEvent) => Promise<SendResult>
  readonly close: () => void
}

export interface SenderPorts {
  readonly http: Pick<OutgoingHttp, 'request'>
  /** Throws when the secret was sealed for another place or with another key. */
  readonly openSecret: (sealed: Uint8Array, context: string) => string
  readonly clients?: AwsClients
}

export function createSender({ http, openSecret, clients = createAwsClients() }: SenderPorts): Sender {
  const openFor = (destination: SealedDestination): string | null => {
    const home = findSecretHome(destination)
    return destination.secret === null || home === undefined
      ? null
      : openSecret(destination.secret, secretContext(home))
  }

  const send: Sender['send'] = async (destination, event) => {
    if (destination.type === 'webhook') {
      return await sendToWebhook(http, destination.address, openFor(destination), event)
    }
    const arn = findDestinationArn(destination)
    if (arn === undefined) return failed('the ARN cannot be read', null)
    const sendTo = destination.type === 'topic' ? sendToTopic : sendToEventBus
    return await sendTo(clients, destination.address, arn, event)
  }

  return {
    send: (destination, event) =>
      // failure-modes: notification not delivered. Whatever went wrong is shown in the history, and tried again.
      send(destination, event).catch((error: unknown) =>
        failed(error instanceof Error ? error.message : 'the event could not be sent', null),
      ),
    close: clients.close,
  }
}

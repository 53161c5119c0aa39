/** Publishes an event to a pub/sub topic in the topic's own region. */
import { findCategory, findSeverity, type NotificationEvent, toPayload } from '../../foundation/domain/notification.ts'
import type { DestinationArn } from '../../foundation/domain/notification-destination.ts'
import { type AwsClients, failedCall } from './aws-clients.ts'
import { SEND_TIMEOUT_MS, type SendResult } from './send-result.ts'

/** Order within a FIFO topic is per group; all our events are one story. */
const GROUP = 'gateway-notifications'
const MAX_SUBJECT_CHARACTERS = 100

export async function sendToTopic(
  clients: AwsClients,
  topicArn: string,
  { region, name }: DestinationArn,
  event: NotificationEvent,
): Promise<SendResult> {
  const { PublishCommand } = await import('@aws-sdk/client-sns')
  const text = (value: string) => ({ DataType: 'String', StringValue: value })
  const command = new PublishCommand({
    TopicArn: topicArn,
    Subject: findSubject(event),
    Message: JSON.stringify(toPayload(event)),
    // Subscribers filter by attributes, and tell a repetition by the event's id.
    MessageAttributes: {
      event_id: text(event.id),
      event_type: text(event.type),
      category: text(findCategory(event.type)),
      severity: text(findSeverity(event)),
    },
    ...(name.endsWith('.fifo') ? { MessageGroupId: GROUP, MessageDeduplicationId: event.id } : {}),
  })
  try {
    const client = await clients.topics(region)
    const answer = await client.send(command, { abortSignal: AbortSignal.timeout(SEND_TIMEOUT_MS) })
    return { kind: 'delivered', responseStatus: answer.$metadata.httpStatusCode ?? 200 }
  } catch (error) {
    return failedCall(error)
  }
}

/** Printable ASCII only: a topic refuses the whole message for one letter in its subject. */
export function findSubject(event: NotificationEvent): string {
  const whom = event.userIdentity ?? event.teamName
  const subject = `[${findSeverity(event)}] ${event.type}${whom === null ? '' : `: ${whom}`}`
  return subject.replace(/[^\x20-\x7e]/gu, '?').slice(0, MAX_SUBJECT_CHARACTERS)
}

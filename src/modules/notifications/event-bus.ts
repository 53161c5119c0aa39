/** Puts an event on an event bus in the bus's own region. */
import { type NotificationEvent, toBusEntry } from '../../foundation/domain/notification.ts'
import type { DestinationArn } from '../../foundation/domain/notification-destination.ts'
import { type AwsClients, failedCall } from './aws-clients.ts'
import { failed, SEND_TIMEOUT_MS, type SendResult } from './send-result.ts'

export async function sendToEventBus(
  clients: AwsClients,
  busArn: string,
  { region }: DestinationArn,
  event: NotificationEvent,
): Promise<SendResult> {
  const { PutEventsCommand } = await import('@aws-sdk/client-eventbridge')
  const { source, detailType, time, resources, detail } = toBusEntry(event)
  const command = new PutEventsCommand({
    Entries: [
      {
        EventBusName: busArn,
        Source: source,
        DetailType: detailType,
        Time: new Date(time),
        Resources: resources,
        Detail: JSON.stringify(detail),
      },
    ],
  })
  try {
    const client = await clients.buses(region)
    const answer = await client.send(command, { abortSignal: AbortSignal.timeout(SEND_TIMEOUT_MS) })
    const status = answer.$metadata.httpStatusCode ?? 200
    // A success of the call says nothing about the entry in it.
    if ((answer.FailedEntryCount ?? 0) === 0) return { kind: 'delivered', responseStatus: status }
    const [entry] = answer.Entries ?? []
    return failed(
      `${entry?.ErrorCode ?? 'refused'}: ${entry?.ErrorMessage ?? 'the bus did not take the event'}`,
      status,
    )
  } catch (error) {
    return failedCall(error)
  }
}

/** Delivers an event to a webhook: one signed POST, no redirects. */
import { createHmac } from 'node:crypto'
import { type NotificationEvent, toPayload } from '../../foundation/domain/notification.ts'
import { type OutgoingHttp, OutgoingHttpError } from '../../foundation/platform/outgoing-http.ts'
import { failed, SEND_TIMEOUT_MS, type SendResult } from './send-result.ts'

export async function sendToWebhook(
  http: Pick<OutgoingHttp, 'request'>,
  url: string,
  secret: string | null,
  event: NotificationEvent,
): Promise<SendResult> {
  const body = JSON.stringify(toPayload(event))
  try {
    const { status, body: answer } = await http.request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-gateway-event-id': event.id,
        ...(secret === null ? {} : { 'x-gateway-signature': sign(body, secret) }),
      },
      body,
      timeoutMs: SEND_TIMEOUT_MS,
      redirects: 'return',
      // What has been taken would else be sent again for a day, for the sake of a page that nobody reads.
      answerBody: 'optional',
    })
    if (status >= 200 && status < 300) return { kind: 'delivered', responseStatus: status }
    if (status >= 300 && status < 400) return failed('the receiver answers with a redirect', status)
    return failed(`the receiver answered ${status} ${answer.toString('utf8', 0, 1_000)}`, status)
  } catch (error) {
    if (error instanceof OutgoingHttpError) return failed(error.message, null)
    throw error
  }
}

function sign(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

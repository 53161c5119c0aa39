/** Answers of AWS services that speak XML. A few lines; a dependency would be larger. */
import type { ServerResponse } from 'node:http'
import { sendText } from '../exchange.ts'
import type { AwsErrorDetail } from './aws-error.ts'

export function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (c) => `&#${c.charCodeAt(0)};`)
}

export function sendXml(response: ServerResponse, body: string, requestId: string): void {
  sendText(response, 200, body, { 'content-type': 'text/xml', 'x-amzn-requestid': requestId })
}

export function sendXmlError(
  response: ServerResponse,
  detail: AwsErrorDetail,
  headers: Readonly<Record<string, string>>,
): void {
  const fault = detail.status >= 500 ? 'Receiver' : 'Sender'
  const requestId = headers['x-amzn-requestid'] ?? ''
  const body = `<ErrorResponse><Error><Type>${fault}</Type><Code>${escapeXml(detail.type)}</Code><Message>${escapeXml(detail.message)}</Message></Error><RequestId>${requestId}</RequestId></ErrorResponse>`
  sendText(response, detail.status, body, { 'content-type': 'text/xml', ...headers })
}

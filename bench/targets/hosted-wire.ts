/** The hosted service's own form, for whoever passes it on unchanged: nginx, and the stub asked directly. */
import { hostedForm, requestBody } from '../load/bodies.ts'
import { clientHeaders } from '../load/client-headers.ts'
import type { Wire } from './target.ts'

const headers = [{ 'x-amz-date': '20260101T000000Z', ...clientHeaders }]

export function hostedWire(operation: 'invoke' | 'invoke-with-response-stream') {
  return (bodyBytes: number): Wire => ({
    path: `/model/us.anthropic.claude-sonnet-5/${operation}`,
    headers,
    body: requestBody(hostedForm, bodyBytes),
  })
}

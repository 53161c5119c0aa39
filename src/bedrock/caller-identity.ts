/** Asks AWS whose credentials these are. Also tells what time AWS has, since signatures depend on it. */
import { type AwsCredentials, signHeaders } from './sigv4.ts'

export interface CallerIdentity {
  readonly arn: string
  readonly account: string
  /** From the header `date`; null when there was none. */
  readonly serverTimeMs: number | null
}

export interface IdentityQuestion {
  readonly region: string
  /** Instead of the public address of the region, as `AWS_ENDPOINT_URL_STS` gives it. */
  readonly url: string | undefined
  readonly credentials: AwsCredentials
  readonly nowMs: number
}

const BODY = 'Action=GetCallerIdentity&Version=2011-06-15'
const CONTENT_TYPE = 'application/x-www-form-urlencoded'
const TIMEOUT_MS = 10_000

export async function readCallerIdentity(question: IdentityQuestion): Promise<CallerIdentity> {
  const { region, credentials, nowMs } = question
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  const url = new URL('/', question.url ?? `https://sts.${region}.${domain}`)
  const headers = await signHeaders(
    {
      method: 'POST',
      path: '/',
      query: {},
      headers: { host: url.host, 'content-type': CONTENT_TYPE },
      body: [Buffer.from(BODY)],
    },
    { region, service: 'sts' },
    credentials,
    nowMs,
  )
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: BODY,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const text = await response.text()
  const field = (name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? ''
  if (!response.ok) throw new Error(field('Message') || `the token service answered with status ${response.status}`)
  const date = response.headers.get('date')
  return { arn: field('Arn'), account: field('Account'), serverTimeMs: date === null ? null : Date.parse(date) }
}

/** Where a hosted service of a region lives, unless the operator has put it somewhere else. */
import { ProviderError, unreachable } from './failures.ts'

export type ServiceName = 'bedrock-runtime' | 'bedrock' | 'servicequotas'

/** Addresses set by the operator, as the AWS tools name them; a path in them is kept as a prefix. */
export interface ServiceUrls {
  /** `AWS_ENDPOINT_URL_BEDROCK_RUNTIME` */
  readonly bedrockRuntime?: string | undefined
  /** `AWS_ENDPOINT_URL_BEDROCK` */
  readonly bedrock?: string | undefined
  /** `AWS_ENDPOINT_URL_SERVICE_QUOTAS` */
  readonly serviceQuotas?: string | undefined
  /** `AWS_ENDPOINT_URL`: every service without an address of its own. */
  readonly everyService?: string | undefined
}

export interface ServiceAddress {
  readonly url: URL
  /** Value of the `host` header. */
  readonly host: string
  /** In front of every path; empty or without a slash at its end. */
  readonly pathPrefix: string
}

export function serviceAddress(service: ServiceName, region: string, urls: ServiceUrls): ServiceAddress {
  const chosen = urlOfService(service, urls) || urls.everyService
  const text = chosen || publicServiceUrl(service, region)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new ProviderError(unreachable(`the address set for ${service} is not an http or https URL`))
  }
  return { url, host: url.host, pathPrefix: url.pathname.replace(/\/+$/, '') }
}

/** Also of services that the SDK calls by itself, such as `sts`. */
export function publicServiceUrl(service: string, region: string): string {
  return `https://${service}.${checkedRegion(region)}.${domainOfRegion(region)}`
}

function urlOfService(service: ServiceName, urls: ServiceUrls): string | undefined {
  if (service === 'bedrock-runtime') return urls.bedrockRuntime
  return service === 'bedrock' ? urls.bedrock : urls.serviceQuotas
}

/** A region goes into a host name: anything but a label could send signed requests elsewhere. */
function checkedRegion(region: string): string {
  if (!/^[a-z0-9-]{1,63}$/.test(region)) throw new ProviderError(unreachable('the region of the endpoint is not valid'))
  return region
}

const domainOfPartition: readonly (readonly [prefix: string, domain: string])[] = [
  ['cn-', 'amazonaws.com.cn'],
  ['eusc-', 'amazonaws.eu'],
  ['us-iso-', 'c2s.ic.gov'],
  ['us-isob-', 'sc2s.sgov.gov'],
  ['us-isof-', 'csp.hci.ic.gov'],
  ['eu-isoe-', 'cloud.adc-e.uk'],
]

function domainOfRegion(region: string): string {
  return domainOfPartition.find(([prefix]) => region.startsWith(prefix))?.[1] ?? 'amazonaws.com'
}

/** The way to Amazon Bedrock, as the configuration says. */
import { type BedrockHost, createModelHost } from '../bedrock/model-host.ts'
import { createServiceCaller, type ServiceCaller } from '../bedrock/service-caller.ts'
import { systemClock } from '../foundation/platform/clock.ts'
import type { Logger } from '../foundation/platform/logger.ts'
import type { Config } from './config/config.ts'

export interface HostedService {
  readonly service: ServiceCaller
  readonly host: BedrockHost
}

export function createHostedService(config: Config, log: Logger): HostedService {
  const service = createServiceCaller({
    clock: systemClock,
    bearerToken: config.awsBearerTokenBedrock?.reveal(),
    urls: {
      bedrockRuntime: config.awsEndpointUrlBedrockRuntime ?? undefined,
      bedrock: config.awsEndpointUrlBedrock ?? undefined,
      serviceQuotas: config.awsEndpointUrlServiceQuotas ?? undefined,
      everyService: config.awsEndpointUrl ?? undefined,
    },
    onRefreshFailed: ({ name, message }, { roleArn, region }) =>
      log.warn({ role: roleArn ?? 'own', region, name, message }, 'AWS credentials could not be refreshed'),
    onForeignAnswer: ({ id, name }, { status, foreignText }) =>
      log.warn({ endpoint: id, name, status, text: foreignText }, 'something other than Amazon Bedrock answered'),
  })
  return { service, host: createModelHost(service) }
}

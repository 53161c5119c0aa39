/** What the gateway's role may do: call models, look at profiles and quotas, tell about budgets, open its database. */
import { ArnFormat, type Stack } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { GatewayDatabase } from './database.ts'
import type { Settings } from './settings.ts'

const invoke = ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream', 'bedrock:CountTokens']

export function addTaskRole(stack: Stack, database: GatewayDatabase, settings: Settings): Role {
  const role = new Role(stack, 'TaskRole', {
    assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com'),
    description: 'Causeway: calls models and, through it, roles in other accounts',
  })
  const { partition, account } = stack
  const own = (resource: string): string => `arn:${partition}:bedrock:*:${account}:${resource}/*`
  role.addToPolicy(
    new PolicyStatement({
      sid: 'Inference',
      actions: invoke,
      resources: [
        `arn:${partition}:bedrock:*::foundation-model/anthropic.*`,
        own('inference-profile'),
        own('application-inference-profile'),
      ],
    }),
  )
  role.addToPolicy(
    new PolicyStatement({
      sid: 'ReadProfiles',
      actions: ['bedrock:GetInferenceProfile'],
      resources: [own('inference-profile'), own('application-inference-profile')],
    }),
  )
  // These two know no resource to be narrowed to.
  role.addToPolicy(
    new PolicyStatement({
      sid: 'DiscoveryAndQuotas',
      actions: ['bedrock:ListInferenceProfiles', 'servicequotas:ListServiceQuotas'],
      resources: ['*'],
    }),
  )
  role.addToPolicy(
    new PolicyStatement({
      sid: 'Notifications',
      actions: ['sns:Publish', 'events:PutEvents'],
      resources: [
        stack.formatArn({ service: 'sns', resource: 'causeway-*', arnFormat: ArnFormat.NO_RESOURCE_NAME }),
        stack.formatArn({ service: 'events', resource: 'event-bus', resourceName: 'causeway-*' }),
      ],
    }),
  )
  if (settings.endpointRoleArns.length > 0)
    role.addToPolicy(
      new PolicyStatement({
        sid: 'AssumeEndpointRoles',
        actions: ['sts:AssumeRole'],
        resources: [...settings.endpointRoleArns],
      }),
    )
  database.grantConnect(role)
  return role
}

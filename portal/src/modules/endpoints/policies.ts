/** Policies for an endpoint in another account. */

/** The gateway does not know the ARN of its own role before it has asked; the words say what to put in. */
export function buildTrustPolicy(externalId: string): object {
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: 'ARN_OF_THE_GATEWAYS_TASK_ROLE' },
        Action: 'sts:AssumeRole',
        ...(externalId === '' ? {} : { Condition: { StringEquals: { 'sts:ExternalId': externalId } } }),
      },
    ],
  }
}

const invoke = ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream', 'bedrock:CountTokens']

/** In the partition of the role: a policy for another one, such as GovCloud, allows nothing. */
export function buildPermissionPolicy(roleArn: string): object {
  const partition = /^arn:(aws[a-z-]*):/.exec(roleArn)?.[1] ?? 'aws'
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: invoke,
        Resource: [
          `arn:${partition}:bedrock:*::foundation-model/anthropic.*`,
          `arn:${partition}:bedrock:*:*:inference-profile/*`,
          `arn:${partition}:bedrock:*:*:application-inference-profile/*`,
        ],
      },
      {
        Effect: 'Allow',
        Action: ['bedrock:ListInferenceProfiles', 'bedrock:GetInferenceProfile', 'servicequotas:ListServiceQuotas'],
        Resource: '*',
      },
    ],
  }
}

export function buildAssumePolicy(roleArn: string): object {
  return { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Resource: roleArn }] }
}

/** What the other account has to allow, ready to be copied. */
import { Command } from '../../ui/copy.tsx'

export function PolicyHelp({ roleArn, externalId }: { readonly roleArn: string; readonly externalId: string }) {
  return (
    <details className="rounded-8 border border-line px-3 py-2">
      <summary className="cursor-default font-medium">Policies for the other account</summary>
      <div className="mt-3 flex flex-col gap-4">
        <Document title="Trust of the role" text={json(trustOf(externalId))} />
        <Document title="Permissions of the role" text={json(permissions)} />
        <Document title="Permission of the gateway’s own role" text={json(assumeOf(roleArn))} />
      </div>
    </details>
  )
}

function Document({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="text-13 text-text-2">{title}</p>
      <Command text={text} label={title} />
    </div>
  )
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** The gateway does not know the ARN of its own role before it has asked; the words say what to put in. */
function trustOf(externalId: string): object {
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

const permissions = {
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Action: invoke,
      Resource: [
        'arn:aws:bedrock:*::foundation-model/anthropic.*',
        'arn:aws:bedrock:*:*:inference-profile/*',
        'arn:aws:bedrock:*:*:application-inference-profile/*',
      ],
    },
    {
      Effect: 'Allow',
      Action: ['bedrock:ListInferenceProfiles', 'bedrock:GetInferenceProfile', 'servicequotas:ListServiceQuotas'],
      Resource: '*',
    },
  ],
}

function assumeOf(roleArn: string): object {
  return { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Resource: roleArn }] }
}

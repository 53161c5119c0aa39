/** Checks the policy files: valid policies, nothing that the gateway never does, no wildcard where one can be avoided. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Finding } from './finding.ts'

interface Statement {
  readonly Sid: string
  readonly Effect: string
  readonly Action: readonly string[]
  readonly Resource?: string | readonly string[]
  readonly Principal?: unknown
}

/** Everything the gateway ever asks AWS for; `*` marks actions that know no resource. */
const known: Readonly<Record<string, '*' | 'resource'>> = {
  'bedrock:InvokeModel': 'resource',
  'bedrock:InvokeModelWithResponseStream': 'resource',
  'bedrock:CountTokens': 'resource',
  'bedrock:GetInferenceProfile': 'resource',
  'bedrock:ListInferenceProfiles': '*',
  'servicequotas:ListServiceQuotas': '*',
  'sts:AssumeRole': 'resource',
  'sns:Publish': 'resource',
  'events:PutEvents': 'resource',
  's3:PutObject': 'resource',
  'rds-db:connect': 'resource',
}

export function checkPolicies(files: readonly string[]): Finding {
  const lines: string[] = []
  const seen = new Set<string>()
  for (const file of files) {
    const policy = JSON.parse(readFileSync(file, 'utf8')) as { Version: string; Statement: readonly Statement[] }
    const name = path.basename(file)
    if (policy.Version !== '2012-10-17') lines.push(`${name}: Version must be 2012-10-17`)
    for (const statement of policy.Statement) {
      const place = `${name}, ${statement.Sid}`
      if (statement.Effect !== 'Allow') lines.push(`${place}: Effect must be Allow`)
      if (statement.Resource === undefined && statement.Principal === undefined) lines.push(`${place}: no Resource`)
      for (const action of statement.Action) {
        seen.add(action)
        const kind = known[action]
        if (kind === undefined) lines.push(`${place}: the gateway never needs ${action}`)
        if (kind === 'resource' && statement.Resource === '*') lines.push(`${place}: ${action} on every resource`)
      }
    }
  }
  for (const action of Object.keys(known)) if (!seen.has(action)) lines.push(`no file grants ${action}`)
  return { kind: 'mistakes', lines }
}

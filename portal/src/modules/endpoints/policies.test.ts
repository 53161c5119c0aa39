import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildPermissionPolicy } from './policies.ts'

test('what the role may call lies in the partition of the role', () => {
  for (const [role, partition] of [
    ['arn:aws:iam::111122223333:role/models', 'aws'],
    ['arn:aws-us-gov:iam::111122223333:role/models', 'aws-us-gov'],
    ['arn:', 'aws'],
  ] as const) {
    const arns = JSON.stringify(buildPermissionPolicy(role)).match(/arn:[^"]+/g) ?? []
    assert.equal(arns.length, 3)
    for (const arn of arns) assert.ok(arn.startsWith(`arn:${partition}:bedrock:`), arn)
  }
})

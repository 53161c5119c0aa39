import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import type { CapabilityVerdict } from '../ports.ts'
import { features } from './feature-table.ts'
import { decidePlan, type WebSearchTool } from './plan-request.ts'
import { readMessagesRequest } from './read-request.ts'
import { readRejection } from './rejections.ts'
import { toBedrockError } from './to-bedrock-error.ts'
import { toHostedRequest } from './to-hosted-request.ts'
import { toMessagesError } from './to-messages-error.ts'

const folder = new URL('golden/', import.meta.url)
const cases = readdirSync(folder)
const errorCases = cases.filter((name) => name.startsWith('error-'))
const requestCases = cases.filter((name) => !name.startsWith('error-'))

/** The call around a request: who is asked, with which betas, and what is known about it. */
interface Call {
  readonly feature: string
  readonly hosted_model: string
  readonly header_betas?: readonly string[]
  readonly verdicts?: Readonly<Record<string, CapabilityVerdict>>
  readonly long_context?: boolean
  readonly web_search_tool?: WebSearchTool
  readonly refused_fields?: readonly string[]
  readonly stripped: readonly string[]
  readonly repairs: readonly string[]
}

function bytesOf(name: string, file: string): Buffer {
  return readFileSync(new URL(`${name}/${file}`, folder))
}

function toRunningCall(name: string): Call {
  return JSON.parse(bytesOf(name, 'call.json').toString())
}

for (const name of requestCases) {
  test(`request: ${name}`, () => {
    const call = toRunningCall(name)
    const request = readMessagesRequest(bytesOf(name, 'in.json'))
    const plan = decidePlan({
      request,
      headerBetas: call.header_betas ?? [],
      hostedModelId: call.hosted_model,
      longContext: call.long_context ?? false,
      verdict: (feature) => call.verdicts?.[feature] ?? 'unknown',
      webSearchTool: call.web_search_tool ?? { kind: 'keep' },
      refusedFields: call.refused_fields ?? [],
    })
    const hosted = toHostedRequest(request, plan)
    const body = Buffer.concat(hosted.body)
    assert.equal(body.toString(), bytesOf(name, 'out.json').toString())
    assert.equal(hosted.bytes, body.length)
    assert.deepEqual(plan.strippedBetas, call.stripped)
    assert.deepEqual(plan.repairs, call.repairs)
  })
}

for (const name of errorCases) {
  test(`error: ${name.slice('error-'.length)}`, () => {
    const failure: ProviderFailure = JSON.parse(bytesOf(name, 'in.json').toString())
    assert.deepEqual(
      {
        messages: toMessagesError(failure),
        bedrock: toBedrockError(failure),
        rejection: failure.status === 400 ? (readRejection(failure.message) ?? null) : null,
      },
      JSON.parse(bytesOf(name, 'out.json').toString()),
    )
  })
}

test('every row of the feature table has a golden case', () => {
  const covered = new Set(requestCases.map((name) => toRunningCall(name).feature))
  assert.deepEqual(
    features.map((feature) => feature.name).filter((name) => !covered.has(name)),
    [],
  )
})

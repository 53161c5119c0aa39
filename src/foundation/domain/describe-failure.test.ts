import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { describeFailure, describeProblem } from './describe-failure.ts'
import { catalogue, type ErrorCode, problem } from './errors.ts'
import { findHint } from './failure-hints.ts'
import { failureKinds } from './failure-reason.ts'
import type { ProviderFailure } from './provider-failure.ts'

const answered = (values: Partial<ProviderFailure>): ProviderFailure => ({
  kind: 'answered',
  status: 400,
  name: 'ValidationException',
  message: 'wrong',
  retryAfterSeconds: null,
  ...values,
})

const failures: readonly (readonly [Partial<ProviderFailure>, kind: string, code: string])[] = [
  [{}, 'invalid_request', 'ValidationException'],
  [{ message: 'messages.0: "the guardrail fell over" is no list' }, 'invalid_request', 'ValidationException'],
  [{ message: 'Guardrail was enabled but the input is in an incorrect format.' }, 'guardrail', 'ValidationException'],
  [{ message: 'The provided model identifier is invalid.' }, 'model_access', 'ValidationException'],
  [{ status: 404, name: 'ResourceNotFoundException' }, 'model_access', 'ResourceNotFoundException'],
  [{ status: 404, name: 'FTUFormNotFilled' }, 'aws_access', 'FTUFormNotFilled'],
  [{ status: 403, name: 'AccessDeniedException' }, 'aws_access', 'AccessDeniedException'],
  [{ kind: 'credentials', status: 502, name: '' }, 'aws_access', 'upstream_error'],
  [{ status: 429, name: 'ThrottlingException' }, 'throttled_by_aws', 'ThrottlingException'],
  [{ status: 400, name: 'ServiceQuotaExceededException' }, 'throttled_by_aws', 'ServiceQuotaExceededException'],
  [{ status: 429, name: 'ModelNotReadyException' }, 'aws_unavailable', 'ModelNotReadyException'],
  [{ status: 424, name: 'ModelErrorException' }, 'aws_unavailable', 'ModelErrorException'],
  [{ status: 503, name: '' }, 'aws_unavailable', 'upstream_error'],
  [{ status: 408, name: 'ModelTimeoutException' }, 'timeout', 'ModelTimeoutException'],
  [{ kind: 'unreachable', status: 504, name: '' }, 'timeout', 'upstream_unreachable'],
  [{ kind: 'unreachable', status: 502, name: '' }, 'network', 'upstream_unreachable'],
  [{ kind: 'broken', status: 502, name: 'IncompleteStream' }, 'network', 'IncompleteStream'],
  [{ status: 403, name: '', foreignText: 'Blocked by the proxy' }, 'network', 'upstream_error'],
  [{ kind: 'unreachable', status: 499, name: 'ClientLeft' }, 'client_left', 'client_left'],
  [{ status: 503, name: 'GatewayStopping' }, 'gateway', 'gateway_stopped'],
  [{ status: 500, name: 'GatewayFault' }, 'gateway', 'internal'],
]
for (const [values, kind, code] of failures)
  test(`${JSON.stringify(values)} is ${kind}`, () => {
    const reason = describeFailure(answered(values))
    assert.deepEqual([reason.kind, reason.code], [kind, code])
  })

test('a header of AWS that is no name of an exception does not become a code', () => {
  assert.equal(describeFailure(answered({ name: 'a name\r\nwith: more' })).code, 'upstream_error')
})

test('text of a proxy is in no reason', () => {
  const reason = describeFailure(answered({ name: '', foreignText: 'secret words of a proxy' }))
  assert.ok(!JSON.stringify(reason).includes('secret'))
})

test('the different causes of a 429 have different kinds', () => {
  const codes = ['rate_limited', 'budget_shaped', 'budget_exceeded'] as const
  assert.deepEqual(
    codes.map((code) => describeProblem(problem(code)).kind),
    ['rate_limit', 'budget', 'budget'],
  )
})

const pages = readdirSync('portal/src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.page.ts'))
  .flatMap((name) => /path: '([^']+)'/.exec(readFileSync(`portal/src/${name}`, 'utf8'))?.[1] ?? [])

test('every kind and every code has a hint for users and for administrators, whose link is a page of the portal', () => {
  const reasons = [
    ...failureKinds.map((kind) => ({ kind, code: '' })),
    ...(Object.keys(catalogue) as ErrorCode[]).map((code) => describeProblem(problem(code))),
    ...failures.map(([values]) => describeFailure(answered(values))),
  ]
  for (const reason of reasons)
    for (const reader of ['user', 'admin'] as const) {
      const { text, link } = findHint(reason, reader)
      assert.match(text, /^[A-Z].{15,}\.$/, reason.code)
      assert.ok(link.startsWith('/portal#') && pages.includes(link.slice('/portal#'.length)), link)
    }
})

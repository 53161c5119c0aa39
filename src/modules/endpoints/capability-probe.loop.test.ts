import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LONG_CONTEXT_BETA } from '../../foundation/domain/capability.ts'
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import { decideVerdict } from './capability-probe.loop.ts'
import { betaAlone } from './probe-body.ts'

const { words } = betaAlone(LONG_CONTEXT_BETA)

function refusal(message: string, status = 400, kind: ProviderFailure['kind'] = 'answered'): ProviderFailure {
  return { kind, status, name: 'ValidationException', message, retryAfterSeconds: null }
}

test('an answer confirms the beta', () => {
  assert.equal(decideVerdict(undefined, LONG_CONTEXT_BETA, words), 'supported')
})

test('a validation error about betas refuses it, whether or not it names one', () => {
  for (const message of [
    `Unexpected value(s) \`${LONG_CONTEXT_BETA}\` for the \`anthropic-beta\` header.`,
    'The model returned the following errors: invalid beta flag',
    'invalid beta flag',
    'anthropic_beta.0: not permitted',
  ])
    assert.equal(decideVerdict(refusal(message), LONG_CONTEXT_BETA, words), 'unsupported', message)
})

test('everything else says nothing about the beta', () => {
  const silent = [
    refusal('The provided model identifier is invalid.'),
    refusal('max_tokens: must be greater than 1024; see the alphabetical list'),
    refusal('Too many requests, please wait before trying again.', 429),
    refusal('invalid beta flag', 500),
    refusal("You don't have access to the model with the specified model ID.", 403),
    refusal('invalid beta flag', 400, 'broken'),
  ]
  for (const failure of silent)
    assert.equal(decideVerdict(failure, LONG_CONTEXT_BETA, words), undefined, failure.message)
})

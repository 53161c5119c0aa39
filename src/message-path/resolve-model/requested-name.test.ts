import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleMapping } from '../sample-calls.fixture.ts'
import { findByDatedAlias } from './requested-name.ts'

const find = (logicalId: string, ...keys: string[]): string | undefined =>
  findByDatedAlias(logicalId, (id) => (keys.includes(id) ? sampleMapping(id, `anthropic.${id}`) : undefined))
    ?.vendorPrefix

test('a dated alias of a known full version is that version', () => {
  assert.equal(find('claude-sonnet-4-6-20260217', 'claude-sonnet-4-6'), 'claude-sonnet-4-6')
  assert.equal(find('claude-3-5-sonnet-20241022', 'claude-3-5-sonnet'), 'claude-3-5-sonnet')
})

test('a hosted model with a date is meant by this date alone', () => {
  const alias = (logicalId: string, hostedModelId: string): boolean =>
    findByDatedAlias(logicalId, (id) => sampleMapping(id, hostedModelId)) !== undefined
  for (const end of ['-20270101-v1:0', '-20270101-v1', '-20270101']) {
    for (const start of [
      'anthropic.',
      'us.anthropic.',
      'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.',
    ]) {
      assert.equal(alias('claude-x-9-20270101', `${start}claude-x-9${end}`), true)
      assert.equal(alias('claude-x-9-20270102', `${start}claude-x-9${end}`), false)
    }
  }
  assert.equal(alias('claude-x-9-20270102', 'anthropic.claude-x-9-v1:0'), true)
})

test('a date is dropped only when the rest is itself a key', () => {
  assert.equal(find('claude-sonnet-4-20250514', 'claude-sonnet-4-6', 'claude-sonnet-4-5'), undefined)
})

test('a date is dropped only when a full version remains', () => {
  assert.equal(find('claude-20270101', 'claude'), undefined)
  assert.equal(find('claude-opus-20270101', 'claude-opus'), undefined)
})

test('eight digits that are no date belong to the name', () => {
  assert.equal(find('claude-opus-5-20261301', 'claude-opus-5'), undefined)
  assert.equal(find('claude-opus-5-99999999', 'claude-opus-5'), undefined)
  assert.equal(find('claude-opus-5-20260101-v1', 'claude-opus-5'), undefined)
})

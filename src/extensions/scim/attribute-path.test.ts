import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFilter, parsePath } from './attribute-path.ts'
import { ScimFailure } from './scim-failure.ts'
import { groupAttributes, userAttributes } from './scim-filter.store.ts'

const eq = (attribute: string, value: string | boolean | null) => ({ attribute, operator: 'eq', value })

test('filters become conditions that all must hold', () => {
  assert.deepEqual(parseFilter('userName eq "a"', userAttributes), [eq('userName', 'a')])
  assert.deepEqual(parseFilter(' USERNAME  Eq  "a b\\"c" ', userAttributes), [eq('userName', 'a b"c')])
  assert.deepEqual(parseFilter('externalId eq null', userAttributes), [eq('externalId', null)])
  assert.deepEqual(parseFilter('externalId eq 42', userAttributes), [eq('externalId', '42')])
  assert.deepEqual(parseFilter('members eq "x"', groupAttributes), [eq('members.value', 'x')])
  assert.deepEqual(parseFilter('(active eq "True") and ((emails co "@x") AND displayName sw "d")', userAttributes), [
    eq('active', true),
    { attribute: 'emails.value', operator: 'co', value: '@x' },
    { attribute: 'displayName', operator: 'sw', value: 'd' },
  ])
  assert.deepEqual(parseFilter('emails[type eq "work" and primary eq true].value eq "a"', userAttributes), [
    eq('emails.value', 'a'),
  ])
  assert.deepEqual(parseFilter('urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"', userAttributes), [
    eq('userName', 'a'),
  ])
})

test('filters that this gateway cannot answer are refused by name', () => {
  for (const text of [
    '',
    'userName',
    'userName eq',
    'userName pr',
    'userName eq "a" or active eq true',
    'not (userName eq "a")',
    'userName eq "a" userName eq "b"',
    'userName eq "a" and',
    '(userName eq "a"',
    'userName eq "a")',
    'userName eq "a',
    'userName eq "\\x"',
    'userName eq true',
    'userName co null',
    'active co "t"',
    'active eq "perhaps"',
    '.userName eq "a"',
    'emails[type eq "home"].value eq "a"',
    'emails[type eq "work" and primary eq false].value eq "a"',
    'members.value eq "a"',
    'userName eq "a"; drop table users',
    Array(25).fill('active eq true').join(' and '),
    `userName eq "${'a'.repeat(4_000)}"`,
  ])
    assert.throws(
      () => parseFilter(text, userAttributes),
      (error) => error instanceof ScimFailure && error.status === 400 && error.scimType === 'invalidFilter',
      text.slice(0, 60),
    )
})

test('paths have an attribute, a choice in brackets and a sub-attribute', () => {
  const plain = { filters: undefined, sub: undefined }
  assert.deepEqual(parsePath('displayName'), { attribute: 'displayname', ...plain })
  assert.deepEqual(parsePath('name.givenName'), { attribute: 'name', filters: undefined, sub: 'givenname' })
  assert.deepEqual(parsePath('emails[type eq "work"].value'), {
    attribute: 'emails',
    filters: [eq('type', 'work')],
    sub: 'value',
  })
  assert.deepEqual(parsePath('members[value eq "x"]'), {
    attribute: 'members',
    filters: [eq('value', 'x')],
    sub: undefined,
  })
  assert.deepEqual(parsePath('emails[type eq "work" AND (primary eq true and value sw "a")].value'), {
    attribute: 'emails',
    filters: [eq('type', 'work'), eq('primary', true), { attribute: 'value', operator: 'sw', value: 'a' }],
    sub: 'value',
  })
  const extension = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department'
  assert.deepEqual(parsePath(extension), { attribute: extension.toLowerCase(), ...plain })
  const joined = ['a[b eq "c" and]', 'a[and b eq "c"]', 'a[b eq "c" or d eq "e"]', 'a[(b eq "c"]', 'a[not (b eq "c")]']
  const endless = `a[${Array(25).fill('b eq "c"').join(' and ')}]`
  for (const text of ['', '[', 'a[', 'a[b eq "c"', 'a[b eq "c"]d', 'a b', 'a[b gt "c"]', '"a"', ...joined, endless])
    assert.throws(
      () => parsePath(text),
      (error) => error instanceof ScimFailure && error.scimType === 'invalidPath',
      text,
    )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyEdits } from '../../foundation/platform/json-spans-edit.ts'
import { readMessagesRequest } from './read-request.ts'
import { systemMessagesAsUserText } from './system-messages.ts'

interface Message {
  readonly role: string
  readonly content?: unknown
}

function rewritten(messages: readonly unknown[]): Message[] {
  const request = readMessagesRequest(Buffer.from(JSON.stringify({ model: 'm', max_tokens: 1, messages }, null, 1)))
  return JSON.parse(Buffer.concat(applyEdits(request.bytes, systemMessagesAsUserText(request))).toString()).messages
}

const user = (content: unknown) => ({ role: 'user', content })
const system = (content: unknown) => ({ role: 'system', content })
const text = (words: string) => ({ type: 'text', text: words })
const reminder = (words: string) => text(`<system-reminder>\n${words}\n</system-reminder>`)
const call = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'a', input: {} }] }
const result = { type: 'tool_result', tool_use_id: 't', content: 'ok' }

test('joins the user message before it, whether that has text or blocks', () => {
  assert.deepEqual(rewritten([user('one'), system('s')]), [user([text('one'), reminder('s')])])
  assert.deepEqual(rewritten([user([text('one')]), system('s')]), [user([text('one'), reminder('s')])])
})

test('several in a row join in their order', () => {
  assert.deepEqual(rewritten([user('one'), system('a'), system([text('b'), text('c')])]), [
    user([text('one'), reminder('a'), reminder('b'), reminder('c')]),
  ])
})

test('after an assistant it joins the next user message, behind tool results', () => {
  assert.deepEqual(rewritten([user('one'), call, system('s'), user([result])]), [
    user('one'),
    call,
    user([result, reminder('s')]),
  ])
  assert.deepEqual(rewritten([system('s'), user('one')]), [user([reminder('s'), text('one')])])
})

test('one user message may be joined from both sides', () => {
  assert.deepEqual(rewritten([system('a'), user('one'), system('b')]), [
    user([reminder('a'), text('one'), reminder('b')]),
  ])
})

test('between assistants or at the end it becomes a user message of its own', () => {
  const said = { role: 'assistant', content: 'x' }
  assert.deepEqual(rewritten([user('one'), said, system('s'), said]), [user('one'), said, user([reminder('s')]), said])
  assert.deepEqual(rewritten([user('one'), said, system('s')]), [user('one'), said, user([reminder('s')])])
  assert.deepEqual(rewritten([system('s')]), [user([reminder('s')])])
})

test('cache_control stays, on a block or on the message itself', () => {
  const cached = { type: 'ephemeral' }
  assert.deepEqual(rewritten([user('one'), system([{ ...text('s'), cache_control: cached }])]), [
    user([text('one'), { ...reminder('s'), cache_control: cached }]),
  ])
  assert.deepEqual(rewritten([user('one'), { ...system('s'), cache_control: cached }]), [
    user([text('one'), { ...reminder('s'), cache_control: cached }]),
  ])
})

test('escapes of the text survive as they were written', () => {
  const body =
    '{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a"},{"role":"system","content":"\\u00e9\\/\\"\\n"}]}'
  const request = readMessagesRequest(Buffer.from(body))
  const out = Buffer.concat(applyEdits(request.bytes, systemMessagesAsUserText(request))).toString()
  assert.ok(out.includes('"<system-reminder>\\n\\u00e9\\/\\"\\n\\n</system-reminder>"'))
})

test('an empty system message just leaves', () => {
  assert.deepEqual(rewritten([user('one'), system([]), { role: 'assistant', content: 'x' }]), [
    user('one'),
    { role: 'assistant', content: 'x' },
  ])
})

test('without system messages nothing is edited', () => {
  const request = readMessagesRequest(
    Buffer.from(JSON.stringify({ model: 'm', max_tokens: 1, messages: [user('a'), call] })),
  )
  assert.deepEqual(systemMessagesAsUserText(request), [])
})

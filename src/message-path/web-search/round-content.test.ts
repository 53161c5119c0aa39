import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeBlock, type Fields, noteDelta, openBlock, startRoundContent } from './round-content.ts'

const blocks: readonly (readonly [name: string, start: Fields, deltas: readonly Fields[], whole: Fields])[] = [
  [
    'text',
    { type: 'text', text: '' },
    [
      { type: 'text_delta', text: 'a ' },
      { type: 'text_delta', text: 'word' },
    ],
    { type: 'text', text: 'a word' },
  ],
  [
    'thinking with its signature',
    { type: 'thinking', thinking: '', signature: '' },
    [
      { type: 'thinking_delta', thinking: 'so' },
      { type: 'signature_delta', signature: 's1' },
    ],
    { type: 'thinking', thinking: 'so', signature: 's1' },
  ],
  [
    'the call of a tool',
    { type: 'tool_use', id: 't', name: 'Read', input: {} },
    [
      { type: 'input_json_delta', partial_json: '{"a":' },
      { type: 'input_json_delta', partial_json: '1}' },
    ],
    { type: 'tool_use', id: 't', name: 'Read', input: { a: 1 } },
  ],
  [
    'a summary of the conversation',
    { type: 'compaction', content: null, encrypted_content: null },
    [{ type: 'compaction_delta', content: 'so far', encrypted_content: 'x' }],
    { type: 'compaction', content: 'so far', encrypted_content: 'x' },
  ],
]
for (const [name, start, deltas, whole] of blocks)
  test(`${name} is sent back whole in the next round`, () => {
    const content = startRoundContent()
    const block = openBlock(start)
    for (const delta of deltas) noteDelta(block, delta)
    closeBlock(content, block)
    assert.deepEqual(
      content.blocks.map((json) => JSON.parse(json)),
      [whole],
    )
  })

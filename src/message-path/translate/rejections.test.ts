import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CapabilityVerdict } from '../ports.ts'
import { decidePlan, type RequestPlan } from './plan-request.ts'
import { readMessagesRequest } from './read-request.ts'
import { decideRepair, namesForgedPath, readRejection } from './rejections.ts'
import { toHostedRequest } from './to-hosted-request.ts'

const readings: readonly (readonly [message: string, features: readonly string[] | 'unnamed' | undefined])[] = [
  ['invalid beta flag', 'unnamed'],
  ['The model returned the following errors: Invalid beta flag.', 'unnamed'],
  ['invalid beta flag: effort-2025-11-24', ['effort-2025-11-24']],
  ['Unexpected value(s) `a-2025-01-01` for the `anthropic-beta` header.', ['a-2025-01-01']],
  ["anthropic_beta: 'a-2025-01-01' is not supported", ['a-2025-01-01']],
  ['anthropic_beta.1: Input should be a known value', ['anthropic_beta.1']],
  ['The beta feature a-20250101 is not available for this model', ['a-20250101']],
  ['a-2025-01-01 is not a supported beta', ['a-2025-01-01']],
  ['context_management: Extra inputs are not permitted', ['context_management']],
  ['context_management.edits.0.keep: Extra inputs are not permitted', ['context_management.edits.keep']],
  ['output_config.format.json_schema.name: Extra inputs are not permitted', ['output_config.format.json_schema.name']],
  ['tools.3.custom.defer_loading: Extra inputs are not permitted', ['tools.defer_loading']],
  ['tools.0.custom.strict: Extra inputs are not permitted', ['output_config.format']],
  ['messages.0.content.2.text.cache_control.ephemeral.scope: Extra inputs are not permitted', ['cache_control.scope']],
  ['thinking.adaptive.display: Extra inputs are not permitted', ['thinking.adaptive.display']],
  [
    'speed: Extra inputs are not permitted\ntools.0.custom.new_one: Extra inputs are not permitted',
    ['speed', 'tools.custom.new_one'],
  ],
  ["tools.0: tool type 'bash_2099' is not supported", ['tools.type.bash_2099']],
  [
    "tools.2: Input tag 'advisor_2099' found using 'type' does not match any of the expected tags: 'bash_20250124', 'custom'",
    ['tools.advisor'],
  ],
  [
    "tools.0: Input tag 'novel_2099' found using 'type' does not match any of the expected tags: 'bash_20250124', 'custom'",
    ['tools.type.novel_2099'],
  ],
  [
    "The model returned the following errors: thinking: Input tag 'adaptive' found using 'type' does not match any of the expected tags: 'disabled', 'enabled'",
    ['thinking.type.adaptive'],
  ],
  [
    "context_management.edits.1: Input tag 'novel_2099' found using 'type' does not match any of the expected tags: 'clear_tool_uses_20250919'",
    ['context_management.edits.novel_2099.type'],
  ],
  // What is said, or what thinks, cannot be left out.
  [
    "messages.0.content.1: Input tag 'novel' found using 'type' does not match any of the expected tags: 'text', 'image'",
    undefined,
  ],
  ["thinking: Input tag 'novel' found using 'type' does not match any of the expected tags: 'enabled'", undefined],
  // A type in the request that reads like the rest of the refusal of another one.
  ["tool type 'bash_20250124' is not supported' is not supported for this model", undefined],
  [`tool type 'bash_20250124' is not supported${' '.repeat(2_000)}' is not supported for this model`, undefined],
  [
    "tools.0: Input tag 'bash_20250124' found using 'type' does not match any of the expected tags: 'a' found using 'type' does not match any of the expected tags: 'custom'",
    undefined,
  ],
  [
    'max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens for claude-sonnet-4-6',
    ['max_tokens.above.64000'],
  ],
  [
    'The model returned the following errors: The maximum tokens you requested exceeds the model limit of 200000',
    ['max_tokens.above.200000'],
  ],
  // A limit of which only the beginning is known may be the words of a request.
  [
    `max_tokens: 9 > 1, which is the maximum allowed number of output tokens for ${'x'.repeat(2_000)}: Extra inputs are not permitted`,
    undefined,
  ],
  [
    'The maximum tokens you requested exceeds the model limit of 9. Try again with a maximum tokens value that is lower than 1.',
    undefined,
  ],
  ["role 'system' is not supported on this model", ['messages.role.system']],
  ['`top_k` is deprecated for this model.', ['top_k']],
  ['tool_choice: `any` is not supported for this model.', ['tool_choice.forced']],
  [
    'Malformed input request: #: extraneous key [output_config] is not permitted, please reformat your input and try again.',
    ['output_config'],
  ],
  [
    'The model returned the following errors: Malformed input request: #/thinking: extraneous key [brand_new] is not permitted, #: extraneous key [speed] is not permitted, please reformat your input and try again.',
    ['thinking.brand_new', 'speed'],
  ],
  [
    'Malformed input request: #/thinking/type: adaptive is not a valid enum value, please reformat your input and try again.',
    ['thinking.type.adaptive'],
  ],
  ['#: Extraneous Key [speed] is not permitted', ['speed']],
  // A value of the request inside a line of the check.
  [
    'Malformed input request: #/thinking/type: x, #: extraneous key [metadata] is not permitted is not a valid enum value',
    undefined,
  ],
  ['#/a: extraneous key [b] is not permitted, #: extraneous key [metadata] is not permitted is not a valid', undefined],
  ['#: extraneous key [a.b] is not permitted', undefined],
  [`#: extraneous key [a] is not permitted, ${'#: extraneous key [b] is not permitted, '.repeat(100)}`, undefined],
  // Conditions of this very request say nothing about the model.
  ['temperature: range: 0..1', undefined],
  ['`temperature` and `top_p` cannot both be specified for this model. Please use only one.', undefined],
  ['`temperature` may only be set to 1 when thinking is enabled', undefined],
  ['max_tokens: 99999 > 64000, which is the maximum allowed number of output tokens', undefined],
  // Words of a prompt inside an error.
  ['messages.0.content: "invalid beta flag" is not valid', undefined],
  ['messages.0.content.0.text: context-1m-2025-08-07 is not supported beta', undefined],
  ['Malformed input: "context_management: Extra inputs are not permitted"', undefined],
  ['Invalid text: please drop beta context-1m-2025-08-07', undefined],
  ['The text "x" is odd\ncontext_management: Extra inputs are not permitted', undefined],
  ['', undefined],
]
for (const [message, expected] of readings) {
  test(`reads ${JSON.stringify(message).slice(0, 90)}`, () => {
    const rejection = readRejection(message)
    if (expected === undefined) assert.equal(rejection, undefined)
    else if (expected === 'unnamed') assert.deepEqual(rejection, { kind: 'unnamed-beta' })
    else assert.deepEqual(rejection, { kind: 'features', features: expected })
  })
}

test('a very long message is read', () => {
  // A reader that went back for every part would not come to an end.
  for (const part of ['a.', 'Unexpected value(s) `x` ', 'tools.0.', 'a: Extra inputs are not permitted, '])
    readRejection(part.repeat(500_000))
})

function planOf(
  extra: object,
  headerBetas: readonly string[],
  verdicts: Record<string, CapabilityVerdict> = {},
): RequestPlan {
  const body = { model: 'm', max_tokens: 2000, messages: [{ role: 'user', content: 'hi' }], ...extra }
  return decidePlan({
    request: readMessagesRequest(Buffer.from(JSON.stringify(body))),
    headerBetas,
    hostedModelId: 'anthropic.claude-opus-4-8',
    longContext: false,
    verdict: (feature) => verdicts[feature] ?? 'unknown',
    webSearchTool: { kind: 'keep' },
  })
}

function repair(plan: RequestPlan, message: string, knownGood: readonly string[] = []) {
  const rejection = readRejection(message)
  assert.ok(rejection)
  const repaired = decideRepair(plan, rejection, knownGood)
  const body = repaired && JSON.parse(Buffer.concat(toHostedRequest(plan.input.request, repaired.plan).body).toString())
  return { repaired, body }
}

test('a refused field goes with its beta, and only they go', () => {
  const plan = planOf({ context_management: { edits: [] }, output_config: { effort: 'low' } }, [
    'context-management-2025-06-27',
    'effort-2025-11-24',
  ])
  const { repaired, body } = repair(plan, 'context_management: Extra inputs are not permitted')
  assert.deepEqual(repaired?.unsupported, ['context_management'])
  assert.deepEqual(repaired?.suspected, [])
  assert.equal('context_management' in body, false)
  assert.deepEqual(body.anthropic_beta, ['effort-2025-11-24'])
  assert.deepEqual(body.output_config, { effort: 'low' })
})

test('a named beta goes with its field', () => {
  const plan = planOf({ context_management: { edits: [] } }, ['context-management-2025-06-27', 'x-2026-01-01'])
  const { repaired, body } = repair(
    plan,
    'Unexpected value(s) `context-management-2025-06-27` for the `anthropic-beta` header',
  )
  assert.deepEqual(repaired?.unsupported, ['context-management-2025-06-27'])
  assert.deepEqual(body.anthropic_beta, ['x-2026-01-01'])
  assert.equal('context_management' in body, false)
})

test('a beta named by its place is the one that was sent there', () => {
  const { repaired } = repair(planOf({}, ['a-2026-01-01', 'b-2026-01-01']), 'anthropic_beta.1: Input should be known')
  assert.deepEqual(repaired?.unsupported, ['b-2026-01-01'])
})

test('an unnamed rejection keeps the betas known good and suspects the others with their fields', () => {
  const plan = planOf({ context_management: { edits: [] } }, [
    'context-management-2025-06-27',
    'good-2026-01-01',
    'x-2026-01-01',
  ])
  const { repaired, body } = repair(plan, 'invalid beta flag', ['good-2026-01-01', 'unrelated-2026-01-01'])
  assert.deepEqual(repaired?.unsupported, [])
  assert.deepEqual(repaired?.suspected, ['context-management-2025-06-27', 'x-2026-01-01'])
  assert.deepEqual(body.anthropic_beta, ['good-2026-01-01'])
  assert.equal('context_management' in body, false)
})

test('nothing is tried again when nothing would change', () => {
  assert.equal(repair(planOf({}, []), 'invalid beta flag').repaired, undefined)
  assert.equal(repair(planOf({}, ['a-2026-01-01']), 'invalid beta flag', ['a-2026-01-01']).repaired, undefined)
  assert.equal(repair(planOf({}, []), 'not_there: Extra inputs are not permitted').repaired, undefined)
  assert.equal(repair(planOf({}, []), "role 'system' is not supported").repaired, undefined)
  assert.equal(repair(planOf({}, []), 'tools.0.custom.x: Extra inputs are not permitted').repaired, undefined)
})

test('a beta whose name only holds a known one is blamed itself', () => {
  const known = 'context-management-2025-06-27'
  for (const novel of [`${known}-x`, `x ${known}`]) {
    const message = `Unexpected value(s) \`${novel}\` for the \`anthropic-beta\` header`
    const { repaired, body } = repair(planOf({ context_management: { edits: [] } }, [novel, known]), message)
    assert.deepEqual([repaired?.unsupported, repaired?.suspected], [[novel], []])
    assert.deepEqual(body.anthropic_beta, [known])
    assert.deepEqual(body.context_management, { edits: [] })
  }
})

test('a beta that was not sent is never blamed', () => {
  const { repaired } = repair(
    planOf({}, ['a-2026-01-01']),
    'Unexpected value(s) `b-2026-01-01` for the `anthropic-beta` header',
  )
  assert.deepEqual(repaired?.unsupported, [])
  assert.deepEqual(repaired?.suspected, ['a-2026-01-01'])
})

test('fields without which it would be another request are never dropped', () => {
  for (const field of ['messages', 'system', 'tools', 'max_tokens']) {
    const plan = planOf({ system: 'be', tools: [{ name: 'a', input_schema: {} }] }, [])
    assert.equal(repair(plan, `${field}: Extra inputs are not permitted`).repaired, undefined)
  }
})

test('unknown fields go wherever they are, and are named without indexes', () => {
  const plan = planOf(
    {
      tools: [
        { name: 'a', brand_new: 1 },
        { name: 'b', brand_new: 2 },
      ],
      top_new: 1,
    },
    [],
  )
  const inTools = repair(plan, 'tools.1.custom.brand_new: Extra inputs are not permitted')
  assert.deepEqual(inTools.repaired?.unsupported, ['tools.custom.brand_new'])
  assert.deepEqual(inTools.body.tools, [{ name: 'a' }, { name: 'b' }])
  assert.equal('top_new' in repair(plan, 'top_new: Extra inputs are not permitted').body, false)
})

test('an unknown field goes only from the kind of block or tool that it was refused in', () => {
  const thinking = { type: 'thinking', thinking: 't', signature: 's' }
  const cached = { cache_control: { type: 'ephemeral', scope: 'global', ttl: '1h' } }
  const plan = planOf(
    {
      messages: [
        { role: 'assistant', content: [{ ...thinking, ...cached }] },
        { role: 'user', content: [{ type: 'text', text: 'hi', ...cached }] },
      ],
      tools: [
        { name: 'a', display_width_px: 1 },
        { type: 'custom', name: 'b', display_width_px: 1 },
        { type: 'computer_20250124', name: 'computer', display_width_px: 1 },
      ],
    },
    [],
  )
  const inBlock = repair(plan, 'messages.0.content.0.thinking.cache_control: Extra inputs are not permitted')
  assert.deepEqual(inBlock.repaired?.unsupported, ['messages.content.thinking.cache_control'])
  assert.deepEqual(inBlock.body.messages, [
    { role: 'assistant', content: [thinking] },
    { role: 'user', content: [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
  ])
  const inTool = repair(plan, 'tools.0.custom.display_width_px: Extra inputs are not permitted')
  assert.deepEqual(inTool.body.tools, [
    { name: 'a' },
    { type: 'custom', name: 'b' },
    { type: 'computer_20250124', name: 'computer', display_width_px: 1 },
  ])
})

test('a field inside a feature takes the feature from those requests that have the field', () => {
  const edits = [{ type: 'clear_tool_uses_20250919', keep: 1 }]
  const betas = ['context-management-2025-06-27']
  const message = 'context_management.edits.0.clear_tool_uses_20250919.keep: Extra inputs are not permitted'
  const { repaired, body } = repair(planOf({ context_management: { edits } }, betas), message)
  const learned = ['context_management.edits.clear_tool_uses_20250919.keep']
  assert.deepEqual(repaired?.unsupported, learned)
  assert.deepEqual([body.context_management, body.anthropic_beta], [undefined, undefined])
  assert.equal(repaired?.plan.repairs.length, 1)
  const usual = planOf({ context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } }, betas)
  const later = decidePlan({ ...usual.input, refusedFields: learned })
  assert.deepEqual([later.betas, later.changes, later.repairs], [betas, [], []])
})

test('a key that reads like a path is known, however it is spelt, and others do not matter', () => {
  const message = 'tools.0.custom.cache_control.ttl: Extra inputs are not permitted'
  const isForged = (text: string) => namesForgedPath(message, { bytes: Buffer.from(text) })
  assert.equal(isForged('{"tools":[{"cache_control.ttl":1}]}'), true)
  assert.equal(isForged('{"tools":[{"cache_control\\u002ettl" : 1}]}'), true)
  assert.equal(isForged('{"tools":[{"cache_control":{"ttl":"1h"},"a.b":"cache_control.ttl"}],"$ref":[":"]}'), false)
  const checked = '#/metadata: extraneous key [a] is not permitted'
  assert.equal(namesForgedPath(checked, { bytes: Buffer.from('{"metadata":{"a":1},"b.c":1}') }), false)
  assert.equal(namesForgedPath(checked, { bytes: Buffer.from('{"/metadata":{"a":1}}') }), true)
  assert.equal(namesForgedPath('invalid beta flag', { bytes: Buffer.from('{"a.b":1}') }), false)
})

test('a name without its path is found in the table', () => {
  const plan = planOf({ tools: [{ name: 'a', input_schema: {}, input_examples: [] }] }, [])
  const { repaired } = repair(plan, 'input_examples: Extra inputs are not permitted')
  assert.deepEqual(repaired?.unsupported, ['tools.input_examples'])
})

test('wordings about the model lead to what the model takes', () => {
  const adaptive = repair(
    planOf({ thinking: { type: 'adaptive' } }, []),
    'adaptive thinking is not supported on this model',
  )
  assert.deepEqual(adaptive.body.thinking, { type: 'enabled', budget_tokens: 1999 })
  const sampling = repair(planOf({ temperature: 0.5, top_p: 1 }, []), '`temperature` is deprecated for this model.')
  assert.deepEqual([sampling.body.temperature, sampling.body.top_p], [undefined, 1])
  const role = repair(
    planOf(
      {
        messages: [
          { role: 'user', content: 'a' },
          { role: 'system', content: 's' },
        ],
      },
      [],
    ),
    'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter',
  )
  assert.equal(role.body.messages.length, 1)
  const search = repair(
    planOf({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, []),
    "tool type 'web_search_20250305' is not supported for this model",
  )
  assert.equal('tools' in search.body, false)
})

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { asEvent, post, requestIdOf, stream, toErrorContent, until } from '../message-path/path-client.ts'
import { startGateway } from '../support/gateway.ts'
import {
  answers,
  asksFor,
  question,
  type SearchWorld,
  search,
  searchTool,
  startSearchWorld,
  text,
} from './search-world.ts'

let world: SearchWorld
before(async () => {
  world = await startSearchWorld()
})
beforeEach(() => world.reset())
after(() => world.gateway.stop())

const bash = { name: 'Bash', description: 'Runs', input_schema: { type: 'object', properties: {} } }

async function searchOnce(key: string, body: object = question()): Promise<Response> {
  await world.say(asksFor(search('01', 'tides')), answers(text('Done.')))
  const response = await post(world.gateway, key, body)
  await response.text()
  return response
}

test('disabled takes out the tool and a choice that names it, and nothing else', async () => {
  await world.setMode({ mode: 'disabled' })
  const choice = { type: 'tool', name: 'web_search' }
  const cases = [
    { tools: [searchTool(), bash], tool_choice: choice },
    { tools: [searchTool()], tool_choice: choice },
    { tools: [searchTool(), bash], tool_choice: { type: 'any' } },
  ]
  for (const body of cases) {
    const response = await post(world.gateway, world.key, question(body))
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('warning'), null)
  }
  const bodies = await world.hostedBodies()
  assert.deepEqual(
    bodies.map(({ tools, tool_choice }) => [tools, tool_choice]),
    [
      [[bash], undefined],
      [undefined, undefined],
      [[bash], { type: 'any' }],
    ],
  )
  assert.deepEqual(await world.gateway.control.searches(), [])
})

test('global serves everybody with the one provider, whatever they chose themselves', async () => {
  const { key } = await world.addPerson({ type: 'serper', apiKey: 's-own', apiUrl: world.engineUrl('serper') })
  await searchOnce(key)
  const [made] = await world.gateway.control.searches()
  assert.deepEqual([made?.engine, made?.key, made?.query], ['tavily', 'tvly-all', 'tides'])
})

test('enabled asks the provider that each person chose', async () => {
  await world.setMode({ mode: 'enabled' })
  for (const [type, apiKey] of [
    ['serper', 's-own'],
    ['searxng', null],
    ['custom', 'c-own'],
    ['duckduckgo', null],
  ] as const) {
    const { key } = await world.addPerson({ type, apiKey, apiUrl: world.engineUrl(type) })
    await searchOnce(key)
    const made = (await world.gateway.control.searches()).at(-1)
    assert.deepEqual([made?.engine, made?.key, made?.query], [type, apiKey, 'tides'])
  }
})

test('the mode is read with the request: a change counts at once, also one that no instance was told of', async () => {
  const set = (mode: string) =>
    world.gateway.database?.pool.query(
      `update proxy_settings set value = to_jsonb($1::text) where key = 'websearch_mode'`,
      [mode],
    )
  await set('disabled')
  await post(world.gateway, world.key, question())
  await set('global')
  await searchOnce(world.key)
  const [without, withTool] = await world.hostedBodies()
  assert.deepEqual([without?.tools, withTool?.tools?.length], [undefined, 1])
})

test('only requests that offer the tool read the mode, and what was last known holds while it cannot be read', async () => {
  const query = (sql: string) => world.gateway.database?.pool.query(sql)
  const warnings = () => world.gateway.logLines.filter((line) => line.includes('web search cannot be read')).length
  const stranger = await world.addPerson()
  await searchOnce(world.key)
  const before = warnings()
  await query('alter table search_providers rename to search_providers_away')
  try {
    await post(world.gateway, world.key, question({ tools: [bash] }))
    assert.equal(warnings(), before)
    await searchOnce(world.key)
    assert.equal(warnings(), before + 1)
    assert.deepEqual(
      (await world.gateway.control.searches()).map(({ key }) => key),
      ['tvly-all', 'tvly-all'],
    )
    await query(`update proxy_settings set value = '"enabled"' where key = 'websearch_mode'`)
    await query(`update cache_versions set version = version + 1 where section = 'settings'`)
    await until(async () => ((await modeInMemory()) === 'enabled' ? true : undefined))
    await world.say(asksFor(search('01', 'tides')), answers(text('Without it.')))
    const response = await post(world.gateway, stranger.key, question())
    const message = (await response.json()) as { content: readonly { type: string; content?: unknown }[] }
    assert.deepEqual(message.content[1]?.content, {
      type: 'web_search_tool_result_error',
      error_code: 'unavailable',
    })
    assert.equal((await world.gateway.control.searches()).length, 2)
  } finally {
    await query('alter table search_providers_away rename to search_providers')
  }
})

/** The setup script is made from the snapshot. */
async function modeInMemory(): Promise<string> {
  const response = await fetch(`${world.gateway.url}/auth/setup`)
  return /WEB_SEARCH=['"]?(\w+)/i.exec(await response.text())?.[1] ?? ''
}

test('the hosted service’s own form has no web search: the tool is taken out', async () => {
  const { model: _model, ...body } = question({ anthropic_version: 'bedrock-2023-05-31', tools: [searchTool(), bash] })
  const response = await post(world.gateway, world.key, body, { path: '/model/us.anthropic.claude-sonnet-5/invoke' })
  assert.equal(response.status, 200)
  assert.deepEqual((await world.hostedBodies())[0]?.tools, [bash])
})

test('tokens are counted for what the model will be sent', async () => {
  const count = async (body: object): Promise<number> => {
    const { max_tokens: _none, ...counted } = question(body)
    const response = await post(world.gateway, world.key, counted, { path: '/v1/messages/count_tokens' })
    assert.equal(response.status, 200)
    return ((await response.json()) as { input_tokens: number }).input_tokens
  }
  const history = [
    { role: 'user', content: 'When is high tide?' },
    {
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'tides' } },
        {
          type: 'web_search_tool_result',
          tool_use_id: 'srvtoolu_1',
          content: [
            {
              type: 'web_search_result',
              url: 'https://a.example/',
              title: 'Tides',
              page_age: null,
              encrypted_content: `cw1.${Buffer.from('words '.repeat(400)).toString('base64url')}`,
            },
          ],
        },
        { type: 'text', text: 'At noon.' },
      ],
    },
    { role: 'user', content: 'And then?' },
  ]
  assert.ok((await count({ messages: history })) > 350)
  const asked = (await world.gateway.control.requests()).at(-1)
  assert.match(asked?.path ?? '', /count-tokens/)
  const { input } = JSON.parse(asked?.body ?? '{}') as { input: { invokeModel: { body: string } } }
  const counted = Buffer.from(input.invokeModel.body, 'base64').toString()
  assert.doesNotMatch(counted, /server_tool_use|web_search_20250305/)
  assert.match(counted, /"tool_result".*https:\/\/a\.example/)
})

test('without a database everybody searches with DuckDuckGo', async () => {
  const gateway = await startGateway({ database: 'none', simulator: world.gateway.simulator })
  try {
    const login = await fetch(`${gateway.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: 'correct horse battery staple' }),
    })
    const { token } = (await login.json()) as { token: string }
    await world.say(answers(text('No need to search.')))
    assert.equal((await post(gateway, token, question())).status, 200)
    assert.equal((await world.hostedBodies()).at(-1)?.tools?.[0]?.['name'], 'web_search')
  } finally {
    await gateway.stop()
  }
})

test('a budget that is used up by the first round ends the turn there, and what was served is charged', async () => {
  const { key, userId } = await world.addPerson()
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${world.admin}` }
  // One round of these words costs more than the whole budget.
  const body = JSON.stringify({ limit_usd: 0.0001, period: 'daily', policy: [{ at_percent: 100, action: 'block' }] })
  const set = await fetch(`${world.gateway.url}/admin/users/${userId}/budget`, { method: 'PUT', headers, body })
  assert.equal(set.status, 200)
  await world.say(asksFor(search('01', 'tides')), answers(text('Never said.')))
  const { response, events } = await stream(world.gateway, key, question())
  assert.equal(response.status, 200)
  const last = JSON.parse(events.at(-1)?.data ?? '{}')
  assert.deepEqual([last.type, last.error?.type], ['error', 'billing_error'])
  assert.match(last.error.message, /budget/)
  assert.equal((await world.hostedBodies()).length, 1)
  const records = await world.records(requestIdOf(response), 2)
  assert.deepEqual(
    records.map(({ round, status, costNanoUsd }: SpendRecord) => [round, status, costNanoUsd > 0]),
    [
      [0, 200, true],
      [1, 429, false],
    ],
  )
  const refused = await post(world.gateway, key, question())
  assert.deepEqual([refused.status, (await toErrorContent(refused)).error.type], [429, 'billing_error'])
})

test('an answer of several rounds tells how the budget stood before the request, whole as streamed', async () => {
  for (const streamed of [false, true]) {
    const { key, userId } = await world.addPerson()
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${world.admin}` }
    const body = JSON.stringify({ limit_usd: 1, period: 'daily', policy: 'standard' })
    const set = await fetch(`${world.gateway.url}/admin/users/${userId}/budget`, { method: 'PUT', headers, body })
    assert.equal(set.status, 200)
    await world.say(asksFor(search('01', 'tides')), answers(text('At noon.')))
    const response = streamed
      ? (await stream(world.gateway, key, question())).response
      : await post(world.gateway, key, question())
    assert.equal((await world.records(requestIdOf(response), 2)).length, 2)
    assert.equal(response.headers.get('x-gateway-budget-percent'), '0')
    assert.equal(response.headers.get('x-gateway-budget-remaining-usd'), '1.000000')
  }
})

test('a request of the client itself, word for word, is searched and answered in two rounds', async () => {
  await world.gateway.control.scriptSearch({
    results: [{ title: 'Stub', url: 'https://example.com/stub', snippet: 'About stubs.' }],
  })
  const body = {
    model: 'claude-sonnet-5',
    messages: [{ role: 'user', content: [text('Perform a web search for the query: stub query')] }],
    system: [
      text('x-anthropic-billing-header: cc_version=2.1.197.3d9; cc_entrypoint=sdk-cli;'),
      text('You are an assistant for performing a web search tool use'),
    ],
    tools: [searchTool({ allowed_domains: ['example.com'], max_uses: 8 })],
    tool_choice: { type: 'tool', name: 'web_search' },
    metadata: { user_id: '{"device_id":"0"}' },
    max_tokens: 64_000,
    thinking: { type: 'disabled' },
    output_config: { effort: 'high' },
  }
  const headers = {
    'anthropic-version': '2023-06-01',
    'anthropic-beta':
      'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27,prompt-caching-scope-2026-01-05,effort-2025-11-24',
  }
  const { events, response } = await stream(world.gateway, world.key, body, headers)
  const started = events.filter(({ event }) => event === 'content_block_start').map(({ data }) => JSON.parse(data))
  assert.deepEqual(
    started.map(({ content_block }) => content_block.type),
    ['server_tool_use', 'web_search_tool_result', 'text'],
  )
  assert.deepEqual(
    started[1].content_block.content.map(({ title, url }: Record<string, string>) => [title, url]),
    [['Stub', 'https://example.com/stub']],
  )
  assert.equal((await world.gateway.control.searches())[0]?.query, 'stub query')
  assert.equal((await world.records(requestIdOf(response), 2)).length, 2)
})

test('a plain request has one record, round 0, and no searches', async () => {
  const response = await post(world.gateway, world.key, question({ tools: [bash] }))
  const { round, webSearches } = await asEvent(world.gateway, requestIdOf(response))
  assert.deepEqual([round, webSearches], [0, 0])
})

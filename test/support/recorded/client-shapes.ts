/** Requests of the kinds that the real client sends, written small: every field, beta and header that it uses, none of its words. */

export interface ClientShape {
  readonly name: string
  readonly path: '/v1/messages' | '/v1/messages/count_tokens'
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

const sessionId = '5d1f3a52-7c1e-4b7e-9d0a-0a8f6f6b2c11'
const alwaysSent = [
  'claude-code-20250219',
  'interleaved-thinking-2025-05-14',
  'thinking-token-count-2026-05-13',
  'context-management-2025-06-27',
  'prompt-caching-scope-2026-01-05',
]
const effort = 'effort-2025-11-24'
const longContext = 'context-1m-2025-08-07'
const systemMessages = 'mid-conversation-system-2026-04-07'

const cached = { cache_control: { type: 'ephemeral' } }
const cachedForAnHour = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const cachedForAll = { cache_control: { type: 'ephemeral', scope: 'global' } }
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function text(words: string, more: object = {}): object {
  return { type: 'text', text: words, ...more }
}

function tool(name: string, fields: Readonly<Record<string, object>>, more: object = {}): object {
  const input_schema = {
    type: 'object',
    properties: fields,
    required: Object.keys(fields).slice(0, 1),
    additionalProperties: false,
  }
  return { name, description: `What ${name} is good for.`, input_schema, ...more }
}

const ownTools = [
  tool('Agent', { description: {}, prompt: {}, subagent_type: {} }),
  tool('Bash', { command: { type: 'string' }, timeout: { type: 'number' } }),
  tool('Edit', { file_path: {}, old_string: {}, new_string: {} }),
  tool('Read', { file_path: { type: 'string' } }),
  tool('WebSearch', { query: { type: 'string' } }),
]

const system = [
  text('x-anthropic-billing-header: cc_version=2.1.197.1c0; cc_entrypoint=cli;'),
  text('An assistant for a terminal.', cached),
  text('Rules of the house and what is known of the machine.', cached),
]

const question = { role: 'user', content: [text('<reminder of the day>'), text('say hello', cached)] }
const reminder = { role: 'system', content: 'Two tools were added.' }

function headersFor(betas: readonly string[], more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    'user-agent': 'claude-cli/2.1.197 (external, cli)',
    'x-claude-code-session-id': sessionId,
    'x-app': 'cli',
    'anthropic-version': '2023-06-01',
    'anthropic-dangerous-direct-browser-access': 'true',
    'x-stainless-retry-count': '0',
    'x-stainless-timeout': '600',
    'anthropic-beta': betas.join(','),
    ...more,
  }
}

function toolRound(name: string, input: object, content: unknown, more: object = {}): object[] {
  const id = `toolu_${name}`
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    { role: 'user', content: [{ tool_use_id: id, type: 'tool_result', content, ...more }] },
  ]
}

const thought = { type: 'thinking', thinking: 'First the folder.', signature: 'EqQBCkgIBRABGAIiQL+/abc==' }

/** Every kind of request for one model. */
export function clientShapes(model: string): readonly ClientShape[] {
  const mainLoop = {
    model,
    messages: [question],
    system,
    tools: ownTools,
    metadata: { user_id: JSON.stringify({ device_id: '0'.repeat(64), account_uuid: '', session_id: sessionId }) },
    max_tokens: 32_000,
    thinking: { type: 'adaptive' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    output_config: { effort: 'high' },
    stream: true,
  }
  const { thinking: _thinking, context_management: _context, ...withoutThinking } = mainLoop
  const { output_config: _config, ...plain } = withoutThinking
  const betas = [...alwaysSent, effort]
  const shape = (name: string, body: object, wanted: readonly string[] = betas, more = {}): ClientShape => ({
    name,
    path: '/v1/messages',
    headers: headersFor(wanted, more),
    body: body as Record<string, unknown>,
  })
  const lookedUp = tool('mcp__wiki__lookup', { page: {} }, { defer_loading: true })
  return [
    shape('main loop', mainLoop),
    shape('main loop with system messages', { ...mainLoop, messages: [question, reminder] }, [
      ...betas,
      systemMessages,
    ]),
    shape('main loop without a stream', { ...mainLoop, stream: undefined }),
    shape('long context by beta', mainLoop, [...betas, longContext]),
    shape('long context by suffix', { ...mainLoop, model: `${model}[1m]` }),
    shape(
      'older model: thinking with a budget',
      {
        ...plain,
        thinking: { type: 'enabled', budget_tokens: 31_999 },
        context_management: mainLoop.context_management,
      },
      [...alwaysSent.slice(1), alwaysSent[0] ?? ''],
    ),
    shape(
      'newest client: thinking shown as omitted',
      { ...mainLoop, thinking: { type: 'adaptive', display: 'omitted' } },
      [...betas, 'per-turn-control-2026-07-01', 'mid-conversation-tool-changes-2026-07-01'],
    ),
    shape('interactive: thinking redacted', mainLoop, [...betas, 'redact-thinking-2026-02-12']),
    shape(
      'title',
      {
        ...withoutThinking,
        tools: [],
        messages: [{ role: 'user', content: [text('name this')] }],
        thinking: { type: 'disabled' },
        temperature: 1,
        output_config: {
          effort: 'high',
          format: {
            type: 'json_schema',
            schema: {
              type: 'object',
              properties: { title: { type: 'string' } },
              required: ['title'],
              additionalProperties: false,
            },
          },
        },
      },
      [...betas, 'structured-outputs-2025-12-15'],
    ),
    shape(
      'sub-agent',
      {
        ...plain,
        thinking: { type: 'disabled' },
        temperature: 1,
        tools: ownTools.slice(1),
        system: [text('x-anthropic-billing-header: cc_version=2.1.197.476; cc_is_subagent=true;'), ...system.slice(1)],
      },
      alwaysSent,
      { 'x-claude-code-agent-id': 'a38bddc9e8e6926a1' },
    ),
    shape('web search', {
      ...withoutThinking,
      messages: [{ role: 'user', content: [text('look for the newest release')] }],
      tools: [{ type: 'web_search_20250305', name: 'web_search', allowed_domains: ['example.com'], max_uses: 8 }],
      tool_choice: { type: 'tool', name: 'web_search' },
      thinking: { type: 'disabled' },
    }),
    shape('tool search, first turn', { ...mainLoop, tools: [...ownTools, tool('ToolSearch', { query: {} })] }, [
      ...betas,
      'advanced-tool-use-2025-11-20',
    ]),
    shape(
      'tool search, tool found',
      {
        ...mainLoop,
        messages: [
          question,
          ...toolRound('ToolSearch', { query: 'select:mcp__wiki__lookup' }, [
            { type: 'tool_reference', tool_name: 'mcp__wiki__lookup' },
          ]),
        ],
        tools: [...ownTools, tool('ToolSearch', { query: {} }), lookedUp],
      },
      [...betas, 'advanced-tool-use-2025-11-20'],
    ),
    shape('tool loop', {
      ...mainLoop,
      messages: [
        { role: 'user', content: [text('run ls and read it')] },
        {
          role: 'assistant',
          content: [thought, { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls "x"' } }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a\nb', is_error: false, ...cached }],
        },
      ],
    }),
    shape('tool loop with an image', {
      ...mainLoop,
      messages: [
        { role: 'user', content: [text('read it')] },
        ...toolRound(
          'Read',
          { file_path: '/tmp/a.png' },
          [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } }],
          cached,
        ),
      ],
    }),
    shape('document', {
      ...mainLoop,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK' } },
            text('what is it', cached),
          ],
        },
      ],
    }),
    shape('failed tool', {
      ...mainLoop,
      messages: [
        { role: 'user', content: [text('run x')] },
        ...toolRound('Bash', { command: 'x' }, 'not found', { is_error: true, ...cached }),
      ],
    }),
    shape('compaction', {
      ...mainLoop,
      messages: [
        question,
        { role: 'assistant', content: [text('Hello.')] },
        { role: 'user', content: [text('Put all of this into a short summary.', cached)] },
      ],
    }),
    shape(
      'one-token probe',
      { model, max_tokens: 1, messages: [{ role: 'user', content: 'x' }], metadata: mainLoop.metadata },
      alwaysSent,
    ),
    shape(
      'caching for an hour',
      {
        ...mainLoop,
        system: [system[0], text('An assistant.', cachedForAnHour)],
        messages: [{ role: 'user', content: [text('hi', cachedForAnHour)] }],
      },
      [...betas, 'extended-cache-ttl-2025-04-11'],
    ),
    shape('caching for all', { ...mainLoop, system: [system[0], text('An assistant.', cachedForAll)] }),
    shape('fast mode', { ...mainLoop, speed: 'fast', service_tier: 'auto' }, [...betas, 'fast-mode-2026-02-01']),
    shape('eager tool input', { ...mainLoop, tools: ownTools.map((one) => ({ ...one, eager_input_streaming: true })) }),
    shape('extra body of the user', { ...mainLoop, anthropic_beta: [longContext] }),
    {
      name: 'token count',
      path: '/v1/messages/count_tokens',
      headers: headersFor([
        'claude-code-20250219',
        'interleaved-thinking-2025-05-14',
        'context-management-2025-06-27',
        'token-counting-2024-11-01',
      ]),
      body: { model, messages: [{ role: 'user', content: 'How much is this?' }], tools: ownTools },
    },
  ]
}

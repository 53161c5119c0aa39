/**
 * What a probe sends to find out whether a profile takes a feature: the smallest request that has it. Fields that are
 * not listed here cannot be asked about without a client's own content: they are tried again by traffic after a day.
 */

export interface ProbeBody {
  readonly betas: readonly string[]
  /** Members of the body beside `max_tokens`; `messages` and `system` replace the usual ones. */
  readonly fields: Readonly<Record<string, unknown>>
  /** What a refusal must speak of. */
  readonly words: RegExp
}

const question = { role: 'user', content: 'Hi' }
const schema = { type: 'object', properties: {}, additionalProperties: false }
const tool = { name: 'probe', description: 'Not to be called.', input_schema: schema }
const SYSTEM_MESSAGE = { role: 'system', content: 'Be brief.' }

const bodies: Readonly<Record<string, ProbeBody>> = {
  context_management: {
    betas: ['context-management-2025-06-27'],
    fields: { context_management: { edits: [] } },
    words: /context_management/,
  },
  'output_config.effort': { betas: [], fields: { output_config: { effort: 'low' } }, words: /output_config|effort/ },
  'output_config.format': {
    betas: [],
    fields: { output_config: { format: { type: 'json_schema', schema } }, tools: [{ ...tool, strict: true }] },
    words: /output_config|format|strict/,
  },
  'tools.defer_loading': {
    betas: ['tool-search-tool-2025-10-19'],
    fields: { tools: [tool, { ...tool, name: 'deferred', defer_loading: true }] },
    words: /defer_loading/,
  },
  'tools.input_examples': {
    betas: ['tool-examples-2025-10-29'],
    fields: { tools: [{ ...tool, input_examples: [{}] }] },
    words: /input_examples/,
  },
  'cache_control.ttl': {
    betas: [],
    fields: { system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
    words: /ttl/,
  },
  'messages.role.system': { betas: [], fields: { messages: [question, SYSTEM_MESSAGE] }, words: /role|system/i },
  'messages.output_config': {
    betas: ['per-turn-control-2026-07-01'],
    fields: { messages: [question, { ...SYSTEM_MESSAGE, output_config: { effort: 'low' } }] },
    words: /output_config|role|system/i,
  },
  'thinking.type.adaptive': { betas: [], fields: { thinking: { type: 'adaptive' } }, words: /thinking/ },
  safeguards: {
    betas: ['dangerous-tool-use-2026-09-03'],
    fields: {
      safeguards: [{ type: 'dangerous_tool_use', classifier_context: { v: 1, permission_mode: 'auto' } }],
    },
    words: /safeguards/,
  },
}

const BETA = /^[a-z][\w-]*-\d{4}-\d{2}-\d{2}$/i
export const ABOUT_BETAS = /(?<![a-z])betas?(?![a-z])/i

/** Undefined when no probe can ask about it. */
export function findProbeBody(feature: string): ProbeBody | undefined {
  const known = Object.hasOwn(bodies, feature) ? bodies[feature] : undefined
  if (known !== undefined) return known
  return BETA.test(feature) ? betaAlone(feature) : undefined
}

export function betaAlone(beta: string): ProbeBody {
  return { betas: [beta], fields: {}, words: ABOUT_BETAS }
}

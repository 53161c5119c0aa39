/** What the client is made to do: each conversation uses another part of what it sends. The simulated model acts on the words. */

/** How the client is told about the gateway. */
export type Door = 'token' | 'api-key' | 'bedrock' | 'unknown-key'

export interface Conversation {
  readonly title: string
  /** One after the other, in the same session. */
  readonly prompts: readonly string[]
  readonly options?: readonly string[]
  readonly door?: Door
  /** In what the client says at the end. */
  readonly says?: RegExp
  /** The client is expected to show an error. */
  readonly fails?: true
  /** It makes no call that is charged to its key. */
  readonly isUnrecorded?: true
  /** Tools that the records of the gateway must name. */
  readonly tools?: readonly string[]
  /** Some of its calls are those of an agent. */
  readonly hasAgent?: true
  /** The client asks for verdicts on its tool calls, gets them, and judges nothing on its own. */
  readonly hasVerdicts?: true
}

const schema = { type: 'object', properties: { greeting: { type: 'string' } }, required: ['greeting'] }
const agent = { description: 'echo', prompt: 'run echo from-the-agent', subagent_type: 'general-purpose' }

export const conversations: readonly Conversation[] = [
  ...['opus', 'sonnet', 'haiku', 'sonnet[1m]', 'claude-fable-5-2'].map((model) => ({
    title: `a question to ${model}`,
    prompts: ['Say hello'],
    options: ['--model', model],
  })),
  { title: 'the key as x-api-key', prompts: ['Say hello'], door: 'api-key' },
  {
    title: 'a tool',
    prompts: ['run echo tool-was-run'],
    options: ['--allowedTools', 'Bash'],
    says: /tool-was-run/,
    tools: ['Bash'],
  },
  {
    title: 'a tool with Fable, over two turns',
    prompts: ['run echo tool-was-run', 'run echo tool-was-run-again'],
    options: ['--model', 'claude-fable-5-2', '--allowedTools', 'Bash'],
    says: /tool-was-run-again/,
    tools: ['Bash'],
  },
  {
    title: 'a tool in auto mode',
    prompts: ['run echo tool-was-run'],
    options: ['--permission-mode', 'auto'],
    says: /tool-was-run/,
    tools: ['Bash'],
    hasVerdicts: true,
  },
  {
    title: 'a tool that is loaded first, and a web search',
    prompts: ['call ToolSearch {"query":"select:WebSearch"}', 'call WebSearch {"query":"tides in bremen"}'],
    options: ['--allowedTools', 'WebSearch', 'ToolSearch'],
    says: /example\.com/,
    // Older clients have it at hand and load nothing.
    tools: ['WebSearch', 'web_search'],
  },
  {
    title: 'an agent',
    prompts: [`call Agent ${JSON.stringify(agent)}`],
    options: ['--allowedTools', 'Bash', 'Agent'],
    tools: ['Agent', 'Bash'],
    hasAgent: true,
  },
  { title: 'an answer by a schema', prompts: ['Greet me'], options: ['--json-schema', JSON.stringify(schema)] },
  { title: 'the size of the context', prompts: ['/context'], says: /Tokens/, isUnrecorded: true },
  {
    title: "Bedrock's own form",
    prompts: ['run echo tool-was-run'],
    options: ['--allowedTools', 'Bash'],
    door: 'bedrock',
    says: /tool-was-run/,
    tools: ['Bash'],
  },
  {
    title: 'a key that is not one',
    prompts: ['Say hello'],
    door: 'unknown-key',
    fails: true,
    isUnrecorded: true,
    says: /virtual key/,
  },
]

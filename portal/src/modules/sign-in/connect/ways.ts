/** The ways to connect a client, each with one command. The first one that fits this computer is shown first. */
export interface Way {
  readonly id: string
  readonly label: string
  readonly lead: string
  readonly steps: readonly { readonly title: string; readonly text: string; readonly note?: string }[]
  /** Each step is another client: one of them is taken, and they have no order. */
  readonly hasChoice?: true
  /** How to undo it, also by one command. */
  readonly undo?: string
}

export function waysFor(base: string): readonly Way[] {
  return [
    {
      id: 'unix',
      label: 'macOS and Linux',
      lead: 'Signs you in through the browser, writes the settings of Claude Code with a backup, and sends one real request.',
      steps: [{ title: 'Run this in a terminal', text: `curl -fsSL ${base}/setup | sh` }],
      undo: `curl -fsSL ${base}/setup | sh -s -- --remove`,
    },
    {
      id: 'windows',
      label: 'Windows',
      lead: 'The same for PowerShell.',
      steps: [{ title: 'Run this in PowerShell', text: `irm ${base}/setup.ps1 | iex` }],
      undo: `& ([scriptblock]::Create((irm ${base}/setup.ps1))) -Remove`,
    },
    {
      id: 'native',
      label: 'Claude Code’s own sign-in',
      lead: 'For managed computers on a private network: Claude Code signs in by itself and asks you to confirm a code here.',
      steps: [
        { title: 'Start Claude Code', text: 'claude' },
        { title: 'Type /login, choose “Cloud gateway” and give this address', text: base },
      ],
    },
    {
      id: 'ci',
      label: 'Build server',
      lead: 'A program without a person uses a virtual key. Make one under Keys and store it as a secret of the build server.',
      steps: [
        {
          title: 'Set these variables for the job',
          text: `ANTHROPIC_BASE_URL=${base}\nANTHROPIC_AUTH_TOKEN=$CAUSEWAY_KEY\nCLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY=1`,
        },
      ],
    },
    {
      id: 'editor',
      label: 'Editors',
      lead: 'The Claude Code extensions read the same settings file. Run the command for your system first, then restart the editor.',
      steps: [
        {
          title: 'Or write it into the settings of VS Code yourself',
          text: `"claudeCode.environmentVariables": [\n  { "name": "ANTHROPIC_BASE_URL", "value": "${base}" },\n  { "name": "ANTHROPIC_AUTH_TOKEN", "value": "<your virtual key>" }\n]`,
        },
      ],
    },
    {
      id: 'docker',
      label: 'Docker',
      lead: 'Inside of a container there is no browser: use a virtual key from your shell.',
      steps: [
        {
          title: 'Hand the variables to the container',
          text: `docker run --rm -it \\\n  -e ANTHROPIC_BASE_URL=${base} \\\n  -e ANTHROPIC_AUTH_TOKEN="$CAUSEWAY_KEY" \\\n  -e CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY=1 \\\n  your-image claude`,
        },
      ],
    },
    {
      id: 'sdk',
      label: 'SDKs',
      lead: 'Every client of the Messages API works: give it this address and a virtual key.',
      steps: [
        {
          title: 'Python, for example',
          text: `from anthropic import Anthropic\n\nclient = Anthropic(base_url="${base}", auth_token="<your virtual key>")`,
        },
      ],
    },
    {
      id: 'other',
      label: 'Other clients',
      lead: 'Coding agents and frameworks that know Anthropic as a provider. Some want the address with /v1 at its end and some without, as shown here.',
      hasChoice: true,
      steps: [
        {
          title: 'AI SDK',
          text: `import { createAnthropic } from '@ai-sdk/anthropic'\n\nconst anthropic = createAnthropic({\n  baseURL: '${base}/v1',\n  apiKey: '<your virtual key>',\n})`,
        },
        {
          title: 'LangChain',
          text: `import { ChatAnthropic } from '@langchain/anthropic'\n\nconst model = new ChatAnthropic({\n  model: 'claude-sonnet-5',\n  anthropicApiUrl: '${base}',\n  apiKey: '<your virtual key>',\n})`,
        },
        {
          title: 'OpenCode, in opencode.json',
          text: `"provider": {\n  "anthropic": {\n    "options": { "baseURL": "${base}/v1", "apiKey": "<your virtual key>" }\n  }\n}`,
        },
        {
          title: 'Continue, in config.yaml',
          text: `models:\n  - name: Claude Sonnet\n    provider: anthropic\n    model: claude-sonnet-5\n    apiBase: ${base}/v1/\n    apiKey: <your virtual key>`,
        },
        {
          title: 'Claude Agent SDK, in the environment of the program',
          text: `ANTHROPIC_BASE_URL=${base}\nANTHROPIC_AUTH_TOKEN=<your virtual key>`,
        },
      ],
    },
  ]
}

export function likelyWay(userAgent: string): string {
  return /windows/i.test(userAgent) ? 'windows' : 'unix'
}

/** How a key is used in the places where keys are used. Secrets of build servers are named, never written into a file. */
export interface Snippet {
  readonly id: string
  readonly label: string
  readonly text: (base: string, key: string) => string
}

export const snippets: readonly Snippet[] = [
  {
    id: 'shell',
    label: 'A shell',
    text: (base, key) =>
      `export ANTHROPIC_BASE_URL=${base}\nexport ANTHROPIC_AUTH_TOKEN=${key}\nexport CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY=1\nclaude`,
  },
  {
    id: 'github',
    label: 'GitHub Actions',
    text: (base) =>
      `# Store the secret as CAUSEWAY_KEY in the settings of the repository.\nenv:\n  ANTHROPIC_BASE_URL: ${base}\n  ANTHROPIC_AUTH_TOKEN: \${{ secrets.CAUSEWAY_KEY }}`,
  },
  {
    id: 'gitlab',
    label: 'GitLab CI',
    text: (base) =>
      `# Store the secret as a masked variable CAUSEWAY_KEY.\nvariables:\n  ANTHROPIC_BASE_URL: ${base}\n  ANTHROPIC_AUTH_TOKEN: $CAUSEWAY_KEY`,
  },
  {
    id: 'docker',
    label: 'Docker',
    text: (base) =>
      `# With the secret in the variable CAUSEWAY_KEY of your shell.\ndocker run --rm -it \\\n  -e ANTHROPIC_BASE_URL=${base} \\\n  -e ANTHROPIC_AUTH_TOKEN="$CAUSEWAY_KEY" \\\n  your-image claude`,
  },
  {
    id: 'curl',
    label: 'curl',
    text: (base, key) => `curl -sS ${base}/v1/models \\\n  -H 'authorization: Bearer ${key}'`,
  },
]

/** What the client sends beside its credential with every call of a session; the same for all that are compared. */
export const clientHeaders = {
  accept: 'application/json',
  'user-agent': 'claude-cli/2.1.197 (external, sdk-cli)',
  'x-claude-code-session-id': '5f0c2c1e-6f1b-4a7e-9d2b-0d6a6f9c1b11',
  'x-stainless-arch': 'x64',
  'x-stainless-lang': 'js',
  'x-stainless-os': 'Linux',
  'x-stainless-package-version': '0.94.0',
  'x-stainless-retry-count': '0',
  'x-stainless-runtime': 'node',
  'x-stainless-runtime-version': 'v26.3.0',
  'x-stainless-timeout': '600',
  'anthropic-beta':
    'claude-code-20250219,context-1m-2025-08-07,interleaved-thinking-2025-05-14,thinking-token-count-2026-05-13,' +
    'context-management-2025-06-27,prompt-caching-scope-2026-01-05,effort-2025-11-24',
  'anthropic-dangerous-direct-browser-access': 'true',
  'anthropic-version': '2023-06-01',
  'x-app': 'cli',
  'accept-encoding': 'gzip, deflate, br, zstd',
} as const

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownSettings } from './shown-settings.ts'

test('secrets in the environment of clients are not shown, figures about tokens are', () => {
  const env = { ANTHROPIC_AUTH_TOKEN: 'a', OTEL_EXPORTER_OTLP_HEADERS: 'authorization=b', MAX_THINKING_TOKENS: '9' }
  assert.deepEqual(shownSettings({ model: 'opus', env }), {
    model: 'opus',
    env: { ANTHROPIC_AUTH_TOKEN: '…', OTEL_EXPORTER_OTLP_HEADERS: '…', MAX_THINKING_TOKENS: '9' },
  })
  for (const document of [{}, { env: null }, { env: ['A_TOKEN'] }]) assert.deepEqual(shownSettings(document), document)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CheckContext } from '../../../simulator/checks/check-context.ts'
import { checkMessages } from '../../../simulator/checks/check-messages.ts'
import { scanObject } from '../../foundation/platform/json-spans.ts'
import { rewriteRequest } from './rewrite-request.ts'

/** One round of a turn as a client keeps it: words, searches, tools of its own, results. */
const round = fc.record({
  words: fc.option(fc.string({ minLength: 1 })),
  searches: fc.array(fc.record({ query: fc.string(), outcome: fc.constantFrom('found', 'failed', 'lost', 'empty') }), {
    maxLength: 3,
  }),
  ownTools: fc.nat(2),
})
const turn = fc.record({ rounds: fc.array(round, { minLength: 1, maxLength: 4 }), answer: fc.string() })

type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never

function toMessages(turns: readonly Turn[]): object[] {
  let next = 0
  const messages: object[] = [{ role: 'user', content: 'Begin' }]
  for (const { rounds, answer } of turns) {
    const content: object[] = []
    const ownResults: object[] = []
    for (const [index, { words, searches, ownTools }] of rounds.entries()) {
      if (words !== null) content.push({ type: 'text', text: words })
      const results: object[] = []
      for (const { query, outcome } of searches) {
        const id = `srvtoolu_${next++}`
        content.push({ type: 'server_tool_use', id, name: 'web_search', input: { query } })
        if (outcome !== 'lost')
          results.push({ type: 'web_search_tool_result', tool_use_id: id, content: resultOf(outcome) })
      }
      // Only the last round of a turn can call tools of the client.
      for (let n = 0; index === rounds.length - 1 && n < ownTools; n++) {
        const id = `toolu_own_${next++}`
        content.push({ type: 'tool_use', id, name: 'Bash', input: {} })
        ownResults.push({ type: 'tool_result', tool_use_id: id, content: 'ok' })
      }
      content.push(...results)
    }
    if (content.length === 0) content.push({ type: 'text', text: 'Nothing.' })
    messages.push({ role: 'assistant', content })
    messages.push({ role: 'user', content: ownResults.length > 0 ? ownResults : `${answer}.` })
  }
  return messages
}

function resultOf(outcome: string): unknown {
  if (outcome === 'failed') return { type: 'web_search_tool_result_error', error_code: 'unavailable' }
  if (outcome === 'empty') return []
  return [
    { type: 'web_search_result', url: 'https://a.example/', title: 'A', encrypted_content: 'cw1.YQ', page_age: null },
  ]
}

test('whatever was searched in earlier turns, the hosted service can read the history', () => {
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 4 }), (turns) => {
      const bytes = Buffer.from(JSON.stringify({ messages: toMessages(turns) }))
      const { bytes: out } = rewriteRequest({ bytes, document: scanObject(bytes) }, 'leave')
      const body = JSON.parse(out.toString())
      const context = { body, rules: { systemRoleMessages: true } } as unknown as CheckContext
      assert.doesNotThrow(() => checkMessages(context))
      assert.ok(!out.includes('server_tool_use'))
    }),
    { numRuns: 300 },
  )
})

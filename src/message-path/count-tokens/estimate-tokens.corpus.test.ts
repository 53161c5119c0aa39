/** Measures the estimate against the public tokenizer, over the text that a model is shown. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getTokenizer } from '@anthropic-ai/tokenizer'
import { estimateInputTokens, TOKENS_PER_MESSAGE, TOKENS_PER_TOOL, TOOLS_BASE_TOKENS } from './estimate-tokens.ts'
import { type Block, type MessagesBody, sampleBodies, userSays } from './sample-bodies.fixture.ts'

const tokenizer = getTokenizer()

function countText(text: string): number {
  return tokenizer.encode(text.normalize('NFKC'), 'all').length
}

function listBlocks(content: unknown): readonly Block[] {
  return typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : ((content as readonly Block[] | undefined) ?? [])
}

function readText(block: Block): string {
  if (block['type'] === 'tool_use') return `${block['name']}\n${JSON.stringify(block['input'])}`
  if (block['type'] === 'tool_result') return listBlocks(block['content']).map(readText).join('\n')
  return String(block['text'] ?? block['thinking'])
}

function countTrue(body: MessagesBody): number {
  const content = [...listBlocks(body.system), ...body.messages.flatMap((message) => listBlocks(message.content))]
  const tools = body.tools ?? []
  const texts = [...content.map(readText), ...tools.map(({ cache_control: _, ...tool }) => JSON.stringify(tool))]
  const additions = tools.length === 0 ? 0 : TOOLS_BASE_TOKENS + tools.length * TOKENS_PER_TOOL
  return texts.reduce((sum, text) => sum + countText(text), additions + body.messages.length * TOKENS_PER_MESSAGE)
}

function ratioOf(body: MessagesBody): number {
  return estimateInputTokens(Buffer.from(JSON.stringify(body))) / countTrue(body)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

test('over code, prose, logs, tools and conversations the median error is at most 10 %, and none falls below 0.8', (t) => {
  const ratios = Map.groupBy(
    sampleBodies().map(({ className, body }) => ({ className, ratio: ratioOf(body) })),
    (sample) => sample.className,
  )
  const all: number[] = []
  for (const [className, samples] of ratios) {
    const values = samples.map((sample) => sample.ratio)
    all.push(...values)
    const [low, middle, high] = [Math.min(...values), median(values), Math.max(...values)]
    t.diagnostic(
      `${className}: ${values.length} samples, ${low.toFixed(3)} / ${middle.toFixed(3)} / ${high.toFixed(3)}`,
    )
    assert.ok(low >= 0.8, `${className}: an estimate is ${low} of the truth`)
    // Wider than the bound over all: common Chinese is priced high so that rare signs and traditional script stay above 0.8.
    assert.ok(Math.abs(middle - 1) <= 0.25, `${className}: the median estimate is ${middle} of the truth`)
  }
  assert.ok(all.length >= 50)
  const medianError = median(all.map((ratio) => Math.abs(ratio - 1)))
  t.diagnostic(`median error over ${all.length} samples: ${medianError.toFixed(3)}`)
  assert.ok(medianError <= 0.1, String(medianError))
})

test('text without spaces or words is not taken for less than it is', () => {
  let seed = 5
  const next = (): number => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff) >> 8
  const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const texts = {
    base64: Array.from({ length: 8_000 }, () => signs[next() % 64]).join(''),
    hexadecimal: Array.from({ length: 8_000 }, () => (next() % 16).toString(16)).join(''),
    digits: Array.from({ length: 8_000 }, () => next() % 10).join(''),
    rules: `${'-'.repeat(70)}\n${'='.repeat(70)}\n${'─'.repeat(40)}\n`.repeat(100),
  }
  for (const [name, text] of Object.entries(texts)) {
    const ratio = ratioOf(userSays(text))
    assert.ok(ratio >= 0.8 && ratio <= 1.5, `${name}: ${ratio}`)
  }
})

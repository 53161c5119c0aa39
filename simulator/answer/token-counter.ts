type Tokenizer = { encode(text: string, allowedSpecial: 'all'): { readonly length: number } }

let tokenizer: Promise<Tokenizer> | undefined

// Building the tokenizer takes a tenth of a second and 30 MB, so it happens only when something must be counted.
async function loadTokenizer(): Promise<Tokenizer> {
  const { getTokenizer } = await import('@anthropic-ai/tokenizer')
  return getTokenizer()
}

const REMEMBERED_CHARACTERS = 32_000_000
const remembered = new Map<string, number>()
let rememberedCharacters = 0

/** Counts are remembered by text: a conversation repeats its system prompt and tools on every turn. */
export async function countTokens(text: string): Promise<number> {
  if (text === '') return 0
  const known = remembered.get(text)
  if (known !== undefined) return known
  tokenizer ??= loadTokenizer()
  const count = (await tokenizer).encode(text.normalize('NFKC'), 'all').length
  rememberedCharacters += text.length
  if (rememberedCharacters > REMEMBERED_CHARACTERS) {
    remembered.clear()
    rememberedCharacters = text.length
  }
  remembered.set(text, count)
  return count
}

/** The betas that a request asks for, from its headers and its body. */
import { LONG_CONTEXT_BETA } from '../../domain/capability.ts'
import { problem } from '../../domain/errors.ts'

/** More than any client sends; without a bound one request could fill what is remembered about betas. */
const MAX_BETAS = 128
const MAX_BETA_CHARACTERS = 128

const noBetas: readonly string[] = []

/** The header is a comma list, and may be there more than once. */
export function parseBetaHeader(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return noBetas
  const values = typeof value === 'string' ? [value] : value
  return values
    .flatMap((line) => line.split(','))
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '')
}

/** Header first, then body, each once. Throws the public problem when there are too many. */
export function collectBetas(
  headerBetas: readonly string[],
  bodyBetas: readonly string[],
  longContext: boolean,
): readonly string[] {
  if (headerBetas.length === 0 && bodyBetas.length === 0 && !longContext) return noBetas
  const betas = new Set([...headerBetas, ...bodyBetas])
  betas.delete('')
  if (longContext) betas.add(LONG_CONTEXT_BETA)
  if (betas.size > MAX_BETAS) {
    throw problem('invalid_parameter', { name: 'anthropic-beta', reason: `at most ${MAX_BETAS} different names` })
  }
  for (const beta of betas) {
    if (beta.length > MAX_BETA_CHARACTERS) {
      throw problem('invalid_parameter', {
        name: 'anthropic-beta',
        reason: `a name has at most ${MAX_BETA_CHARACTERS} characters`,
      })
    }
  }
  return [...betas]
}

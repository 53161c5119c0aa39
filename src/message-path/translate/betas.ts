/** The betas that a request asks for, from its headers and its body. */
import { LONG_CONTEXT_BETA } from '../../foundation/domain/capability.ts'
import { invalidParameter } from '../../foundation/domain/errors.ts'

/** More than any client sends; without a bound one request could fill what is remembered about betas. */
const MAX_BETAS = 128
const MAX_BETA_CHARACTERS = 128

const noBetas: readonly string[] = []

/** The header is a comma list, and may be there more than once. Each name once. */
export function parseBetaHeader(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? noBetas : namesIn([value].flat())
}

function namesIn(lines: readonly string[]): readonly string[] {
  const names = new Set(lines.flatMap((line) => line.split(',')).map((beta) => beta.trim()))
  names.delete('')
  return [...names]
}

/** Header first, then body, each once. Throws the public problem when there are too many. */
export function collectBetas(
  headerBetas: readonly string[],
  bodyBetas: readonly string[],
  longContext: boolean,
): readonly string[] {
  const betas = bodyBetas.length === 0 && !longContext ? headerBetas : merged(headerBetas, bodyBetas, longContext)
  if (betas.length > MAX_BETAS) {
    throw invalidParameter('anthropic-beta', `at most ${MAX_BETAS} different names`)
  }
  for (const beta of betas) {
    if (beta.length > MAX_BETA_CHARACTERS) {
      throw invalidParameter('anthropic-beta', `a name has at most ${MAX_BETA_CHARACTERS} characters`)
    }
  }
  return betas
}

function merged(headerBetas: readonly string[], bodyBetas: readonly string[], longContext: boolean): readonly string[] {
  const betas = new Set([...headerBetas, ...bodyBetas])
  betas.delete('')
  if (longContext) betas.add(LONG_CONTEXT_BETA)
  return [...betas]
}

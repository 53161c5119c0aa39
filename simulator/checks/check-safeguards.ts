import { extraInput, validationError } from '../aws/aws-error.ts'
import { isRecord } from '../json-value.ts'
import { SAFEGUARDS_BETA } from './beta-table.ts'
import type { CheckContext } from './check-context.ts'

/** The client asks for a verdict on each tool call of the answer. */
export function checkSafeguards({ body, betas }: CheckContext): void {
  const safeguards = body['safeguards']
  if (safeguards === undefined) return
  if (!betas.includes(SAFEGUARDS_BETA)) throw extraInput('safeguards')
  if (!Array.isArray(safeguards)) throw validationError('safeguards: Input should be a valid list')
  for (const [index, safeguard] of safeguards.entries()) {
    const type = isRecord(safeguard) ? safeguard['type'] : undefined
    if (type !== 'dangerous_tool_use')
      throw validationError(
        `safeguards.${index}: Input tag '${type}' found using 'type' does not match any of the expected tags: 'dangerous_tool_use'`,
      )
  }
}

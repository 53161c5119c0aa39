import { extraInput, validationError } from '../aws/aws-error.ts'
import { isRecord } from '../json-value.ts'
import type { CheckContext } from './check-context.ts'

const THINKING_FIELDS: Readonly<Record<string, readonly string[]>> = {
  enabled: ['type', 'budget_tokens', 'display', 'block_binding'],
  adaptive: ['type', 'display', 'block_binding'],
  between_tools: ['type', 'display', 'block_binding'],
  disabled: ['type'],
}

export function checkThinking({ body, rules }: CheckContext): void {
  const thinking = body['thinking']
  if (thinking === undefined || thinking === null) return
  const type = isRecord(thinking) ? thinking['type'] : undefined
  const known = typeof type === 'string' ? THINKING_FIELDS[type] : undefined
  if (!isRecord(thinking) || !known) {
    throw validationError(
      `thinking: Input tag '${type}' found using 'type' does not match any of the expected tags: 'adaptive', 'disabled', 'enabled'`,
    )
  }
  for (const field of Object.keys(thinking)) if (!known.includes(field)) throw extraInput(`thinking.${type}.${field}`)
  const binding = thinking['block_binding']
  // The hosted service calls this field `mismatch_behavior`.
  if (isRecord(binding) && 'prefix_mismatch_behavior' in binding) {
    throw extraInput(`thinking.${type}.block_binding.prefix_mismatch_behavior`)
  }
  if (!(rules.thinking as readonly unknown[]).includes(type)) throw unsupportedThinking(String(type))
  if (type === 'enabled') checkBudget(body, thinking['budget_tokens'])
}

function unsupportedThinking(type: string): Error {
  if (type === 'adaptive') return validationError('adaptive thinking is not supported on this model')
  if (type === 'enabled') {
    return validationError(
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    )
  }
  return validationError(`"thinking.type.${type}" is not supported for this model.`)
}

function checkBudget(body: CheckContext['body'], budget: unknown): void {
  if (typeof budget !== 'number') throw validationError('thinking.enabled.budget_tokens: Field required')
  if (budget < 1024)
    throw validationError('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024')
  if (Number(body['max_tokens']) <= budget) {
    throw validationError('`max_tokens` must be greater than `thinking.budget_tokens`.')
  }
  if (body['temperature'] !== undefined && body['temperature'] !== 1) {
    throw validationError('`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.')
  }
}

const DEPRECATED = 'is deprecated for this model.'

export function checkSampling({ body, rules }: CheckContext): void {
  const temperature = body['temperature']
  const topP = body['top_p']
  const topK = body['top_k']
  checkRange('temperature', temperature)
  checkRange('top_p', topP)
  if (body['anthropic_version'] === '2026-10-21' || rules.sampling === 'none') {
    for (const name of ['temperature', 'top_p', 'top_k']) {
      if (body[name] !== undefined) throw validationError(`\`${name}\` ${DEPRECATED}`)
    }
  }
  if (rules.sampling === 'pinned') {
    if (temperature !== undefined && temperature !== 1) throw validationError(`\`temperature\` ${DEPRECATED}`)
    if (topP !== undefined && Number(topP) < 0.99) throw validationError(`\`top_p\` ${DEPRECATED}`)
    if (topK !== undefined) throw validationError(`\`top_k\` ${DEPRECATED}`)
  }
  if (rules.sampling === 'one-of-two' && temperature !== undefined && topP !== undefined) {
    throw validationError('`temperature` and `top_p` cannot both be specified for this model. Please use only one.')
  }
}

function checkRange(name: string, value: unknown): void {
  if (value === undefined) return
  if (typeof value !== 'number') throw validationError(`${name}: Input should be a valid number`)
  if (value < 0) throw validationError(`${name}: Input should be greater than or equal to 0`)
  if (value > 1) throw validationError(`${name}: range: 0..1`)
}

export function checkOutputConfig({ body, rules, betas }: CheckContext): void {
  const config = body['output_config']
  if (config === undefined || config === null) return
  if (!isRecord(config)) throw validationError('output_config: Input should be a valid dictionary')
  for (const field of Object.keys(config)) {
    if (field !== 'effort' && field !== 'format') throw extraInput(`output_config.${field}`)
  }
  if (config['format'] !== undefined && !rules.structuredOutput) throw extraInput('output_config.format')
  const effort = config['effort']
  if (effort === undefined) return
  if (rules.efforts.length === 0) throw extraInput('output_config.effort')
  if (rules.effortNeedsBeta && !betas.includes('effort-2025-11-24')) throw extraInput('output_config.effort')
  if (typeof effort !== 'string' || !rules.efforts.includes(effort)) {
    throw validationError(`output_config.effort: Input should be ${rules.efforts.map((e) => `'${e}'`).join(', ')}`)
  }
}

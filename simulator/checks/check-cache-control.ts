import { toPromptSegments } from '../answer/prompt-segments.ts'
import { extraInput, validationError } from '../aws/aws-error.ts'
import { isRecord } from '../json-value.ts'
import type { ModelRules } from './model-rules.ts'

const MAXIMUM_BREAKPOINTS = 4

export function checkCacheControl(value: unknown, path: string, rules: ModelRules): void {
  if (value === undefined || value === null) return
  if (!isRecord(value) || value['type'] !== 'ephemeral') {
    throw validationError(`${path}: Input tag found using 'type' does not match any of the expected tags: 'ephemeral'`)
  }
  for (const field of Object.keys(value)) {
    if (field !== 'type' && field !== 'ttl') throw extraInput(`${path}.ephemeral.${field}`)
  }
  const ttl = value['ttl']
  if (ttl === undefined) return
  if (!rules.cacheTtl) throw extraInput(`${path}.ephemeral.ttl`)
  if (ttl !== '5m' && ttl !== '1h') throw validationError(`${path}.ephemeral.ttl: Input should be '5m' or '1h'`)
}

export function checkCacheBreakpoints(body: Readonly<Record<string, unknown>>): void {
  const ttls = toPromptSegments(body).flatMap((segment) =>
    segment.breakpoint === undefined ? [] : [segment.breakpoint],
  )
  if (ttls.length > MAXIMUM_BREAKPOINTS) {
    throw validationError(
      `A maximum of ${MAXIMUM_BREAKPOINTS} blocks with cache_control may be provided. Found ${ttls.length}.`,
    )
  }
  if (ttls.lastIndexOf('1h') > ttls.indexOf('5m') && ttls.includes('5m')) {
    throw validationError(
      "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
    )
  }
}

import type { AnswerHead } from '../../foundation/domain/model-host.ts'
import { mergeUsageHeaders, readUsage, startUsageReading } from '../../foundation/domain/usage-reading.ts'
import type { AnswerFacts } from '../dialect.ts'

/** What the head alone tells of an answer that was never seen whole; undefined when it does not tell the usage. */
export function factsOfHead(head: AnswerHead): AnswerFacts | undefined {
  const reading = startUsageReading()
  mergeUsageHeaders(reading, head)
  const { usage, webSearches, reported, clamped } = readUsage(reading)
  if (!reported) return undefined
  return {
    usage,
    webSearches,
    usageReported: true,
    usageClamped: clamped,
    stopReason: null,
    guardrailIntervened: false,
    toolsCalled: [],
    outputCharacters: 0,
  }
}

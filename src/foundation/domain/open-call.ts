import type { AnswerProgress } from './build-spend-record.ts'
import type { Attribution, Payer } from './spend-record.ts'

/** A hosted call that has begun. It stands for the record until that is written, and becomes one if the process dies. */
export interface OpenCall extends Payer {
  readonly requestId: string
  readonly round: number
  readonly atMs: number
  readonly endpointId: string
  /** The profile id or ARN that is invoked. */
  readonly hostedModel: string
  readonly streaming: boolean
  readonly requestBytes: number
  /** What the client asked for. Notes of the gateway's own calls, and of releases before 1.10, do not have it. */
  readonly asked?: {
    readonly model: string
    readonly hostedModelId: string
    readonly attribution: Attribution
  }
  /** What the answer had reported when the note was written; undefined until its first event. */
  readonly progress?: AnswerProgress
}

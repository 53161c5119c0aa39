import type { CatalogModel } from '../aws/model-catalog.ts'
import type { ModelRules } from './model-rules.ts'

export type CheckedRequest = Readonly<Record<string, unknown>>

export type CheckContext = {
  readonly body: CheckedRequest
  readonly rules: ModelRules
  readonly betas: readonly string[]
  readonly model: CatalogModel
}

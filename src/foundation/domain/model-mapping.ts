export type MappingSource = 'seed' | 'discovery' | 'admin'

/** A requested model id and the hosted foundation model it means. Looked up by equality only. */
export interface ModelMapping {
  /** The exact requested id. */
  readonly vendorPrefix: string
  readonly hostedModelId: string
  readonly displayName: string
  readonly contextWindow: number | null
  readonly maxOutputTokens: number | null
  readonly source: MappingSource
  readonly createdAt: string
}

export type ContentBlock = Readonly<Record<string, unknown>> & { readonly type: string }

export type Answer = {
  readonly content: readonly ContentBlock[]
  readonly stopReason: string | null
  readonly stopSequence: string | null
}

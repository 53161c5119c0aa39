/** Token counts of one answer, with the names the ledger uses. */
export type Usage = {
  readonly input: number
  readonly output: number
  readonly cache_read: number
  readonly cache_write_5m: number
  readonly cache_write_1h: number
}

export type WireUsage = Readonly<Record<string, unknown>>

export function toWireUsage(usage: Usage): Record<string, unknown> {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cache_write_5m + usage.cache_write_1h,
    cache_read_input_tokens: usage.cache_read,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cache_write_5m,
      ephemeral_1h_input_tokens: usage.cache_write_1h,
    },
    output_tokens: usage.output,
  }
}

/** Counts that name the call they belong to, so that a charge can be matched to one served call. */
export function fingerprintUsage(n: number): Usage {
  return {
    input: 1_000_000 + n,
    output: 7 + (n % 97),
    cache_read: 2_000_000 + n,
    cache_write_5m: 11 + (n % 89),
    cache_write_1h: 13 + (n % 83),
  }
}

/** Reads counts back from a usage object; what is absent or no number keeps the count known before. */
export function fromWireUsage(wire: WireUsage, before: Usage | null): Usage {
  const split = wire['cache_creation']
  const creation = typeof split === 'object' && split !== null ? (split as WireUsage) : {}
  const count = (value: unknown, known: number | undefined): number =>
    typeof value === 'number' ? value : (known ?? 0)
  return {
    input: count(wire['input_tokens'], before?.input),
    output: count(wire['output_tokens'], before?.output),
    cache_read: count(wire['cache_read_input_tokens'], before?.cache_read),
    cache_write_5m: count(creation['ephemeral_5m_input_tokens'], before?.cache_write_5m),
    cache_write_1h: count(creation['ephemeral_1h_input_tokens'], before?.cache_write_1h),
  }
}

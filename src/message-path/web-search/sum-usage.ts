/** Adds up what the rounds of one turn have used: counts are added, everything else is as the last round says. */
type Usage = Readonly<Record<string, unknown>>

export function sumUsage(before: Usage, added: Usage): Usage {
  const sum: Record<string, unknown> = { ...before }
  for (const [key, value] of Object.entries(added)) {
    const known = sum[key]
    if (typeof known === 'number' && typeof value === 'number') sum[key] = known + value
    else if (isObject(known) && isObject(value)) sum[key] = sumUsage(known, value)
    else if (value !== null || known === undefined) sum[key] = value
  }
  return sum
}

/** What a round says later, of its usage or its end, stands, but for null: it means that there is nothing new to say. */
export function laterUsage(before: Usage, later: Usage): Usage {
  const known: Record<string, unknown> = { ...before }
  for (const [key, value] of Object.entries(later)) {
    const earlier = known[key]
    if (isObject(earlier) && isObject(value)) known[key] = laterUsage(earlier, value)
    else if (value !== null || earlier === undefined) known[key] = value
  }
  return known
}

export function isObject(value: unknown): value is Usage {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function withSearches(usage: Usage, searches: number): Usage {
  const tools = isObject(usage['server_tool_use']) ? usage['server_tool_use'] : { web_fetch_requests: 0 }
  return { ...usage, server_tool_use: { ...tools, web_search_requests: searches } }
}

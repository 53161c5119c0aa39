/** Which tools an answer calls: mostly the client's own, some of servers that the company connected. */
import type { Random } from './random.ts'

const ownTools: readonly (readonly [name: string, weight: number])[] = [
  ['Read', 30],
  ['Bash', 22],
  ['Edit', 19],
  ['Grep', 12],
  ['Glob', 5],
  ['TodoWrite', 6],
  ['Write', 4],
  ['WebFetch', 1.2],
]

const serverTools: Readonly<Record<string, readonly (readonly [name: string, weight: number])[]>> = {
  Platform: [
    ['mcp__github__get_pull_request', 5],
    ['mcp__github__search_code', 4],
    ['mcp__grafana__query_range', 3],
    ['mcp__terraform__plan', 2],
  ],
  Checkout: [
    ['mcp__github__get_pull_request', 4],
    ['mcp__jira__get_issue', 4],
    ['mcp__sentry__list_events', 3],
  ],
  Mobile: [
    ['mcp__figma__get_file', 5],
    ['mcp__jira__get_issue', 3],
    ['mcp__github__create_pull_request', 2],
  ],
  'Data Science': [
    ['mcp__warehouse__run_query', 7],
    ['mcp__warehouse__describe_table', 4],
    ['mcp__github__search_code', 1],
  ],
  'Tokyo Studio': [
    ['mcp__figma__get_file', 4],
    ['mcp__translations__find_string', 5],
  ],
  'Customer Tools': [
    ['mcp__jira__get_issue', 5],
    ['mcp__jira__add_comment', 2],
    ['mcp__sentry__list_events', 2],
  ],
}

const SERVER_SHARE = 0.07

export function pickTools(random: Random, team: string | null): readonly string[] {
  const count = random.pickWeighted([
    [1, 72],
    [2, 19],
    [3, 9],
  ])
  return Array.from({ length: count }, () => {
    const offered = team === null ? undefined : serverTools[team]
    return random.pickWeighted(offered !== undefined && random.chance(SERVER_SHARE) ? offered : ownTools)
  })
}

/**
 * Which metrics and labels a PromQL expression names, so that one that does not exist is found before a night shift
 * does.
 * Only names are needed; a parser for PromQL would be larger.
 */

export interface NamedMetric {
  readonly metric: string
  /** From its matchers; labels of aggregations are apart. */
  readonly labels: readonly string[]
}

export interface NamedThings {
  readonly metrics: readonly NamedMetric[]
  /** In `by`, `without`, `on`, `ignoring` and `group_left`. */
  readonly grouping: readonly string[]
}

const words = new Set([
  'and',
  'or',
  'unless',
  'offset',
  'bool',
  'by',
  'without',
  'on',
  'ignoring',
  'group_left',
  'group_right',
  'inf',
  'nan',
])
const groupingClause = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g
/** A name, perhaps its matchers, and perhaps the bracket that makes it a function. */
const nameClause = /([a-zA-Z_:][\w:]*)\s*(?:\{([^}]*)\})?(\s*\()?/g

export function namesIn(expression: string): NamedThings {
  // Values may hold anything, names too; durations and numbers hold letters.
  const bare = expression.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\[[^\]]*\]|\b\d[\w.]*/g, ' ')
  const grouping = [...bare.matchAll(groupingClause)].flatMap(([, list = '']) => splitNames(list))
  const metrics: NamedMetric[] = []
  for (const [, name = '', matchers = '', call] of bare.replace(groupingClause, ' ').matchAll(nameClause)) {
    if (call !== undefined || words.has(name.toLowerCase())) continue
    metrics.push({
      metric: name,
      labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    })
  }
  return { metrics, grouping }
}

function splitNames(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

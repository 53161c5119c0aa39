/** Paths of fields as the hosted service names them in its errors, and the rows of the feature table they belong to. */
import { type Feature, findFeature } from './feature-table.ts'

/** Names of variants that the hosted service puts between the real segments of a path. */
const variants = new Set(
  `custom ephemeral enabled disabled adaptive between_tools text image document thinking redacted_thinking tool_use
  tool_result tool_reference search_result server_tool_use web_search_tool_result base64 url`.split(/\s+/),
)

/** As the table writes paths. */
export function withoutVariants(segments: readonly string[]): string {
  const last = segments.length - 1
  return segments.filter((segment, at) => at === 0 || at === last || !variants.has(segment)).join('.')
}

/** The row whose field the path leads into; undefined when it leads into none, or to such a field itself. */
export function findFeatureAround(path: string): Feature | undefined {
  const segments = path.split('.')
  for (let length = segments.length - 1; length > 0; length--) {
    const around = withoutVariants(segments.slice(0, length))
    const feature = findFeature(around)
    if (feature !== undefined && (length > 1 || feature.name === around)) return feature
  }
  return undefined
}

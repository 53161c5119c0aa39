import { isRecord } from '../json-value.ts'

const byName: Readonly<Record<string, string>> = {
  command: 'echo "hello from the simulator"',
  file_path: '/tmp/example.txt',
  path: '/tmp',
  url: 'https://example.com/',
  pattern: '*.md',
  city: 'Paris',
  location: 'Paris',
  language: 'en',
}

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  email: 'alice@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** A small value that fits a JSON schema: enough for a tool's input or a structured answer. */
export function buildExample(schema: unknown, topic: string): unknown {
  return build(schema, 'value', { root: schema, topic, depth: 0 })
}

type Context = { readonly root: unknown; readonly topic: string; readonly depth: number }

function build(schema: unknown, name: string, context: Context): unknown {
  if (!isRecord(schema) || context.depth > 8) return context.topic
  const inner = { ...context, depth: context.depth + 1 }
  if ('const' in schema) return schema['const']
  if ('default' in schema) return schema['default']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  if (typeof schema['$ref'] === 'string') return build(follow(context.root, schema['$ref']), name, inner)
  for (const combiner of ['anyOf', 'oneOf', 'joinConditions']) {
    const options = schema[combiner]
    if (Array.isArray(options))
      return build(options.find((o) => isRecord(o) && o['type'] !== 'null') ?? options[0], name, inner)
  }
  const type = Array.isArray(schema['type']) ? schema['type'].find((t) => t !== 'null') : schema['type']
  switch (type) {
    case 'object':
      return buildObject(schema, inner)
    case 'array':
      return Array.from({ length: Math.max(1, Number(schema['minItems'] ?? 1)) }, () =>
        build(schema['items'] ?? {}, name, inner),
      )
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return buildString(schema, name, context)
  }
}

/** Required properties, or the first one when none is required: an empty input would show nothing. */
function buildObject(schema: Readonly<Record<string, unknown>>, context: Context): Record<string, unknown> {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1)
  return Object.fromEntries(names.map((name) => [name, build(properties[name] ?? {}, name, context)]))
}

function buildString(schema: Readonly<Record<string, unknown>>, name: string, { topic }: Context): string {
  const format = typeof schema['format'] === 'string' ? byFormat[schema['format']] : undefined
  const text = format ?? byName[name] ?? topic
  const maximum = typeof schema['maxLength'] === 'number' ? schema['maxLength'] : text.length
  return text.slice(0, maximum).padEnd(Number(schema['minLength'] ?? 0), '.')
}

function follow(root: unknown, ref: string): unknown {
  let at: unknown = root
  for (const part of ref.replace(/^#\/?/, '').split('/')) at = isRecord(at) ? at[part] : undefined
  return at
}

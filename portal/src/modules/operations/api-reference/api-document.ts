/** Reads the gateway's own description of its API into what the page shows. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly access: string
  readonly parameters: readonly Parameter[]
  /** JSON of an example body; undefined when there is none. */
  readonly body: string | undefined
  /** The media type of that body. */
  readonly bodyType: string
  readonly answers: readonly Reply[]
}

export interface Parameter {
  readonly name: string
  readonly place: string
  readonly isRequired: boolean
}

export interface Reply {
  readonly status: string
  readonly text: string
}

interface RawOperation {
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly 'x-access'?: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }
  readonly responses?: Readonly<Record<string, { readonly description?: string }>>
}

export interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly default?: unknown
  readonly format?: string
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
}

export function listOperations(document: ApiDocument): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      ...readBody(raw),
      id: `${method}${path}`.replace(/[^a-z0-9]+/gi, '-'),
      method: method.toUpperCase(),
      path,
      tag: raw.tags?.[0] ?? 'Other',
      summary: raw.summary ?? '',
      description: raw.description ?? '',
      access: raw['x-access'] ?? '',
      parameters: (raw.parameters ?? []).map(({ name, in: place, required }) => ({
        name,
        place,
        isRequired: required === true,
      })),
      answers: Object.entries(raw.responses ?? {})
        .filter(([status]) => status !== 'default')
        .map(([status, { description }]) => ({ status, text: description ?? '' })),
    })),
  )
}

function readBody({ requestBody }: RawOperation): Pick<Operation, 'body' | 'bodyType'> {
  // SCIM has a media type of its own: application/scim+json.
  const found = Object.entries(requestBody?.content ?? {}).find(([type]) => type.endsWith('json'))
  const [bodyType, schema] = [found?.[0] ?? 'application/json', found?.[1].schema]
  return { bodyType, body: schema === undefined ? undefined : JSON.stringify(buildExample(schema), null, 2) }
}

/** Only fields that must be there: an example is for beginning, not for completeness. */
export function buildExample(schema: Schema, depth = 0): unknown {
  if (schema.default !== undefined) return schema.default
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return buildExample(schema.anyOf[0] ?? {}, depth)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object' && depth < 4) {
    const required = new Set(schema.required)
    const fields = Object.entries(schema.properties ?? {}).filter(([name]) => required.has(name))
    return Object.fromEntries(fields.map(([name, field]) => [name, buildExample(field, depth + 1)]))
  }
  if (type === 'array') return schema.items === undefined ? [] : [buildExample(schema.items, depth + 1)]
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  return schema.format === 'uuid' ? '0190a000-0000-7000-8000-000000000000' : '…'
}

export function writeCurl(operation: Operation, origin: string): string {
  const lines = [
    `curl ${operation.method === 'GET' ? '' : `-X ${operation.method} `}'${origin}${operation.path}'`,
    `  -H "authorization: Bearer $CAUSEWAY_TOKEN"`,
  ]
  if (operation.body !== undefined)
    lines.push(`  -H 'content-type: ${operation.bodyType}'`, `  -d '${JSON.stringify(JSON.parse(operation.body))}'`)
  return lines.join(' \\\n')
}

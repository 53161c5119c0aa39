/** Turns the API description into the types that the portal's client is checked against, one line for each path. */
import { apiDescription } from '../docs/api-description.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema | false
  readonly prefixItems?: readonly Schema[]
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

interface Operation {
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema?: Schema }[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content>>
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

/** The form of the result is that of openapi-typescript, which openapi-fetch reads. */
export function apiTypes(description: Description): string {
  const lines = [
    '/** Made from docs/openapi.json by `npm run docs`. Not edited by hand. */',
    'export interface paths {',
  ]
  for (const [path, operations] of Object.entries(description.paths)) {
    const members = methods.map((method) => {
      const operation = operations[method]
      return operation === undefined ? `${method}?: never` : `${method}: ${operationType(operation)}`
    })
    lines.push(`  ${quote(path)}: { parameters?: never; ${members.join('; ')} }`)
  }
  lines.push('}', 'export interface components {', '  schemas: {')
  for (const [name, schema] of Object.entries(description.components?.schemas ?? {}))
    lines.push(`    ${quote(name)}: ${schemaType(schema)}`)
  lines.push('  }', '}', '')
  return lines.join('\n')
}

function operationType({ parameters = [], requestBody, responses }: Operation): string {
  const places = ['query', 'header', 'path', 'cookie'].map((place) => {
    const found = parameters.filter((parameter) => parameter.in === place)
    if (found.length === 0) return `${place}?: never`
    const isNeeded = found.some(({ required }) => required === true)
    const fields = found.map(({ name, required, schema }) => field(name, schema ?? {}, required === true))
    return `${place}${isNeeded ? '' : '?'}: { ${fields.join('; ')} }`
  })
  const body =
    requestBody === undefined
      ? 'requestBody?: never'
      : `requestBody${requestBody.required === true ? '' : '?'}: { ${contentType(requestBody)} }`
  const answers = Object.entries(responses).map(
    ([status, answer]) => `${status}: { headers: { [name: string]: unknown }; ${contentType(answer)} }`,
  )
  return `{ parameters: { ${places.join('; ')} }; ${body}; responses: { ${answers.join('; ')} } }`
}

function contentType({ content }: Content): string {
  if (content === undefined) return 'content?: never'
  const types = Object.entries(content).map(([type, { schema }]) => `${quote(type)}: ${schemaType(schema ?? {})}`)
  return `content: { ${types.join('; ')} }`
}

function schemaType(schema: Schema): string {
  if (schema.$ref !== undefined) return `components['schemas'][${quote(schema.$ref.split('/').at(-1) ?? '')}]`
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => literal(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return unique(choices.map(schemaType)).join(' | ')
  // Several patterns on one value say nothing about its type; the type beside them does.
  if (schema.allOf !== undefined && schema.type === undefined)
    return schema.allOf.map((part) => `(${schemaType(part)})`).join(' & ')
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  if (types.length === 0) return schema.properties === undefined ? 'unknown' : objectType(schema)
  return unique(types.map((type) => typeOf(type, schema))).join(' | ')
}

function typeOf(type: string, schema: Schema): string {
  if (type === 'object') return objectType(schema)
  if (type === 'array') return arrayType(schema)
  return type === 'integer' ? 'number' : type
}

function arrayType({ items, prefixItems }: Schema): string {
  if (prefixItems !== undefined) return `[${prefixItems.map(schemaType).join(', ')}]`
  return `(${schemaType(items === undefined || items === false ? {} : items)})[]`
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(([name, schema]) => field(name, schema, required.includes(name)))
  if (fields.length > 0) return `{ ${fields.join('; ')} }`
  const values = typeof additionalProperties === 'object' ? schemaType(additionalProperties) : 'unknown'
  return additionalProperties === false ? 'Record<string, never>' : `{ [key: string]: ${values} }`
}

function field(name: string, schema: Schema, isRequired: boolean): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name)
  return `${key}${isRequired ? '' : '?'}: ${schemaType(schema)}${isRequired ? '' : ' | undefined'}`
}

const unique = (types: readonly string[]): string[] => [...new Set(types)]
const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const literal = (value: unknown): string => (typeof value === 'string' ? quote(value) : JSON.stringify(value))

export async function portalApiTypes(): Promise<string> {
  return apiTypes(JSON.parse(await apiDescription()) as Description)
}

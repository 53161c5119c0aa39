/** The API description that a gateway gives, and answers compared with it. */
import assert from 'node:assert/strict'
import { z } from 'zod'

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Record<string, unknown> }>>
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Record<string, Content> }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Record<string, unknown>>> }
}

export async function readDescription(url: string): Promise<Description> {
  return (await (await fetch(`${url}/openapi.json`)).json()) as Description
}

/** The media type and the body must be those that are described for this status, or by default. */
export async function assertDescribed(
  described: Description,
  method: string,
  template: string,
  response: Response,
): Promise<void> {
  const operation = described.paths[template]?.[method.toLowerCase()]
  const { content } = operation?.responses[response.status] ?? operation?.responses['default'] ?? {}
  const type = response.headers.get('content-type')?.split(';')[0] ?? ''
  const schema = content?.[type]?.schema
  assert.ok(schema !== undefined, `${method} ${template} answers ${response.status} as ${type}, which is not described`)
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined
  const whole = name === undefined ? schema : described.components.schemas[name]
  assert.ok(whole !== undefined)
  const body: unknown = await response.json()
  const read = z.fromJSONSchema(whole).safeParse(body)
  assert.ok(read.success, `${method} ${template}: ${JSON.stringify(body)} ${read.error?.message}`)
}

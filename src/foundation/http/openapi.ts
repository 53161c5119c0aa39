/**
 * The description of every route (OpenAPI 3.1), made from the routes themselves.
 * Our own, because zod writes the schemas itself: that is OpenAPI 3.1 with two dependencies fewer.
 */
import { type ZodType, z } from 'zod'
import { type accessLevels, type Grant, openingGrants } from '../domain/access.ts'
import { errorForms } from './error-schema.ts'
import { toPortablePattern } from './portable-pattern.ts'
import { type Route, readRule } from './route.ts'

type Json = Record<string, unknown>

const accessText: Readonly<Record<(typeof accessLevels)[number], string>> = {
  open: 'No credential needed.',
  client: 'Any valid credential: virtual key, identity-provider token or session token.',
  'self-read': 'Any valid credential; shows only what belongs to the caller.',
  person: 'A session token or an identity-provider token; virtual keys are refused.',
  admin: 'A session token or an identity-provider token of an administrator.',
  scim: 'The provisioning token of an identity provider, and nothing else.',
}

export function openApiDocument(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of [...routes].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))) {
    paths[route.path] ??= {}
    Object.assign(paths[route.path] ?? {}, { [route.method.toLowerCase()]: operation(route) })
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Causeway',
      version,
      description: 'A gateway between Messages API clients and Amazon Bedrock, with its administration.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      },
      schemas: Object.fromEntries(Object.values(errorForms).map(({ name, schema }) => [name, toSchema(schema)])),
    },
  }
}

function operation(route: Route): Json {
  const params = route.kind === 'api' ? route.params : undefined
  const query = route.kind === 'api' ? route.query : undefined
  const parameters = [...pathParameters(route.path, params), ...queryParameters(query)]
  const grants = openingGrants(readRule(route))
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, accessText[route.access] + grantText(grants)]
      .filter((part) => part !== undefined)
      .join('\n\n'),
    'x-access': route.access,
    ...(grants.length === 0 ? {} : { 'x-grants': grants }),
    ...(route.access === 'open' ? { security: [] } : { security: [{ bearer: [] }, { apiKey: [] }] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: !route.body.safeParse(undefined).success,
            content: { [findMediaType(route)]: { schema: toSchema(route.body) } },
          },
        }),
    ...(route.kind === 'api' && route.upload !== undefined
      ? { requestBody: { required: true, content: { [route.upload]: { schema: { type: 'string' } } } } }
      : {}),
    responses: describeResponses(route),
  }
}

function grantText(grants: readonly Grant[]): string {
  if (grants.length === 0) return ''
  const confined = grants.includes('team:lead') ? ' A team lead gets what belongs to the own team.' : ''
  return ` A person with the grant ${grants.map((grant) => `\`${grant}\``).join(' or ')} may call it too.${confined}`
}

function describeResponses(route: Route): Json {
  const { errorForm = 'common' } = route
  const { name, text } = errorForms[errorForm]
  const errorContent = { [findMediaType(route)]: { schema: { $ref: `#/components/schemas/${name}` } } }
  const responses: Json = {}
  for (const [status, answer] of Object.entries(route.answers)) {
    const isError = errorForm !== 'common' && Number(status) >= 400
    responses[status] = {
      description: answer.text,
      ...(answer.schema === undefined
        ? isError && { content: errorContent }
        : { content: { [answer.type ?? findMediaType(route)]: { schema: toSchema(answer.schema) } } }),
    }
  }
  responses['default'] = { description: text, content: errorContent }
  return responses
}

function findMediaType({ errorForm }: Route): string {
  return errorForm === 'scim' ? 'application/scim+json' : 'application/json'
}

function pathParameters(path: string, schema: ZodType | undefined): Json[] {
  const properties = listProperties(schema)
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: properties[name] ?? { type: 'string' },
  }))
}

function queryParameters(schema: ZodType | undefined): Json[] {
  const required = schema === undefined ? [] : ((toSchema(schema)['required'] as string[] | undefined) ?? [])
  return Object.entries(listProperties(schema)).map(([name, property]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: property,
  }))
}

function listProperties(schema: ZodType | undefined): Record<string, Json> {
  return schema === undefined ? {} : ((toSchema(schema)['properties'] as Record<string, Json> | undefined) ?? {})
}

function toSchema(schema: ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json
  return JSON.parse(JSON.stringify(rest), (name, value: unknown) =>
    name === 'pattern' && typeof value === 'string' ? toPortablePattern(value) : value,
  ) as Json
}

/** `GET /admin/keys/{id}` becomes `get_admin_keys_id`: stable, and unique because paths are. */
function operationId(route: Route): string {
  return `${route.method.toLowerCase()}${route.path.replace(/[{}]/g, '').replace(/[^\w]+/g, '_')}`
}

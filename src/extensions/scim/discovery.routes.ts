/** What this gateway tells providers about itself: what it supports, and the attributes it keeps. */
import type { Route } from '../../foundation/http/route.ts'
import { GROUP_SCHEMA } from './group-resource.fields.ts'
import { MAX_COUNT } from './listing.ts'
import { discoveryDocument, listDocument } from './scim-documents.ts'
import { notFound } from './scim-failure.ts'
import type { ScimPorts } from './scim-ports.service.ts'
import { type ScimCall, scimRoute } from './scim-route.service.ts'
import { USER_SCHEMA } from './user-resource.ts'

const CONFIG_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'
const TYPE_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'
const SCHEMA_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'

export function scimDiscoveryRoutes(ports: ScimPorts): Route[] {
  const types = (call: ScimCall) => [
    resourceType(call.root, 'User', '/Users', USER_SCHEMA),
    resourceType(call.root, 'Group', '/Groups', GROUP_SCHEMA),
  ]
  const schemas = (call: ScimCall) => [
    schema(call.root, USER_SCHEMA, 'User', userAttributes),
    schema(call.root, GROUP_SCHEMA, 'Group', groupAttributes),
  ]
  return [
    scimRoute(ports, {
      method: 'GET',
      path: '/ServiceProviderConfig',
      summary: 'What provisioning supports',
      answer: discoveryDocument,
      answers: { 200: 'The capabilities' },
      handle: (call) => ({ status: 200, body: serviceProviderConfig(call.root) }),
    }),
    ...listAndOne(ports, '/ResourceTypes', 'resource type', types),
    ...listAndOne(ports, '/Schemas', 'schema', schemas),
  ]
}

function listAndOne(
  ports: ScimPorts,
  path: string,
  what: string,
  all: (call: ScimCall) => readonly { readonly id: string }[],
): Route[] {
  return [
    scimRoute(ports, {
      method: 'GET',
      path,
      summary: `Every ${what}`,
      answer: listDocument(discoveryDocument),
      answers: { 200: 'The list' },
      handle: (call) => {
        const resources = all(call)
        return {
          status: 200,
          body: {
            schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
            totalResults: resources.length,
            startIndex: 1,
            itemsPerPage: resources.length,
            Resources: resources,
          },
        }
      },
    }),
    scimRoute(ports, {
      method: 'GET',
      path: `${path}/{id}`,
      summary: `One ${what}`,
      answer: discoveryDocument,
      answers: { 200: 'It', 404: 'There is none with this id' },
      handle: (call) => {
        const found = all(call).find((one) => one.id.toLowerCase() === call.params['id']?.toLowerCase())
        if (found === undefined) throw notFound(what)
        return { status: 200, body: found }
      },
    }),
  ]
}

function serviceProviderConfig(root: string): object {
  const no = { supported: false }
  return {
    schemas: [CONFIG_SCHEMA],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_COUNT },
    changePassword: no,
    sort: no,
    etag: no,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Provisioning token',
        description: 'A token that an administrator made for this identity provider.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${root}/ServiceProviderConfig` },
  }
}

function resourceType(root: string, name: string, endpoint: string, schemaId: string) {
  return {
    schemas: [TYPE_SCHEMA],
    id: name,
    name,
    endpoint,
    schema: schemaId,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${root}/ResourceTypes/${name}` },
  }
}

function schema(root: string, id: string, name: string, attributes: readonly object[]) {
  return {
    schemas: [SCHEMA_SCHEMA],
    id,
    name,
    description: name,
    attributes,
    meta: { resourceType: 'Schema', location: `${root}/Schemas/${id}` },
  }
}

function attribute(name: string, more: object = {}): object {
  return {
    name,
    type: 'string',
    multiValued: false,
    description: name,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...more,
  }
}

const readOnly = { mutability: 'readOnly' }

function referenceTo(resourceType: 'User' | 'Group', mutability: 'readOnly' | 'immutable'): object {
  return attribute('$ref', { type: 'reference', referenceTypes: [resourceType], caseExact: true, mutability })
}

const userAttributes = [
  attribute('userName', { required: true, uniqueness: 'server' }),
  attribute('externalId', { caseExact: true, uniqueness: 'server' }),
  attribute('displayName'),
  attribute('name', {
    type: 'complex',
    subAttributes: [attribute('formatted'), attribute('givenName'), attribute('familyName')],
  }),
  attribute('active', { type: 'boolean' }),
  attribute('emails', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value'),
      attribute('type', readOnly),
      attribute('primary', { type: 'boolean', ...readOnly }),
    ],
  }),
  attribute('groups', {
    type: 'complex',
    multiValued: true,
    ...readOnly,
    subAttributes: [attribute('value', readOnly), attribute('display', readOnly), referenceTo('Group', 'readOnly')],
  }),
]

const groupAttributes = [
  attribute('displayName', { required: true, uniqueness: 'server' }),
  attribute('externalId', { caseExact: true, uniqueness: 'server' }),
  attribute('members', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', { mutability: 'immutable', caseExact: true }),
      attribute('display', readOnly),
      attribute('type', readOnly),
      referenceTo('User', 'immutable'),
    ],
  }),
]

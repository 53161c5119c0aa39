import { randomBytes } from 'node:crypto'
import { expireSessions } from './aws/accounts.ts'
import type { CatalogModel } from './aws/model-catalog.ts'
import type { ProfileScope } from './aws/profiles.ts'
import { refuseUnknown, requireObject } from './behaviour.ts'
import type { ControlRoute } from './control-route.ts'
import type { SimulatorState } from './state.ts'

/** Accounts, roles, models and profiles: what the simulated cloud consists of. */
export const controlAccounts: Readonly<Record<string, ControlRoute>> = {
  'POST /accounts': ({ state, body }) => addAccount(state, body),
  'GET /accounts': ({ state }) =>
    [...state.accounts.credentials.values()].map(({ tokens: _, secretKey: __, ...visible }) => visible),
  'POST /roles': ({ state, body }) => addRole(state, body),
  'GET /roles': ({ state }) => [...state.accounts.roles.values()],
  'DELETE /roles/:id': ({ state }, arn) => ({ removed: state.accounts.roles.delete(arn) }),
  'POST /sessions/expire': ({ state, body }) => {
    const roleArn = requireObject(body ?? {}, 'body')['roleArn']
    return { expired: expireSessions(state.accounts, typeof roleArn === 'string' ? roleArn : undefined) }
  },
  'POST /profiles': ({ state, body }) => changeProfile(state, body),
  'POST /models': ({ state, body }) => defineModel(state, body),
}

function requireText(input: Readonly<Record<string, unknown>>, name: string): string {
  const value = input[name]
  if (typeof value !== 'string' || value === '') throw new TypeError(`${name}: a text is required`)
  return value
}

function optionalText<Name extends string>(
  input: Readonly<Record<string, unknown>>,
  name: Name,
): { [key in Name]?: string } {
  return input[name] === undefined ? {} : ({ [name]: requireText(input, name) } as { [key in Name]: string })
}

function addAccount(state: SimulatorState, body: unknown): unknown {
  const input = requireObject(body, 'account')
  refuseUnknown(input, ['account', 'accessKey', 'secretKey', 'bearerKey', 'region', 'deniedModels'], 'account')
  const account = requireText(input, 'account')
  const { accounts } = state
  if (Array.isArray(input['deniedModels']))
    accounts.deniedModels.set(account, new Set(input['deniedModels'].map(String)))
  if (input['bearerKey'] !== undefined) {
    const key = requireText(input, 'bearerKey')
    accounts.bearerKeys.set(key, { key, account, region: optionalText(input, 'region').region ?? 'us-east-1' })
  }
  const accessKey = optionalText(input, 'accessKey').accessKey ?? `AKIA${randomBytes(8).toString('hex').toUpperCase()}`
  const secretKey = optionalText(input, 'secretKey').secretKey ?? randomBytes(30).toString('base64')
  accounts.credentials.set(accessKey, { accessKey, secretKey, account })
  return { account, accessKey, secretKey }
}

function addRole(state: SimulatorState, body: unknown): unknown {
  const input = requireObject(body, 'role')
  refuseUnknown(input, ['arn', 'externalId', 'trustedAccounts'], 'role')
  const arn = requireText(input, 'arn')
  const trusted = input['trustedAccounts']
  const role = {
    arn,
    ...optionalText(input, 'externalId'),
    ...(Array.isArray(trusted) ? { trustedAccounts: trusted.map(String) } : {}),
  }
  state.accounts.roles.set(arn, role)
  return role
}

function changeProfile(state: SimulatorState, body: unknown): unknown {
  const input = requireObject(body, 'profile')
  refuseUnknown(input, ['op', 'id', 'arn', 'name', 'foundationModelId', 'account', 'region'], 'profile')
  const scope: ProfileScope = { ...optionalText(input, 'account'), ...optionalText(input, 'region') }
  switch (input['op']) {
    case 'add': {
      const profile = {
        id: requireText(input, 'id'),
        foundationModelId: requireText(input, 'foundationModelId'),
        ...optionalText(input, 'name'),
        ...scope,
      }
      state.profiles.add(profile)
      return profile
    }
    case 'remove':
      state.profiles.hide(requireText(input, 'id'), scope)
      return { removed: true }
    case 'define-application': {
      const id = optionalText(input, 'id').id ?? randomBytes(6).toString('hex')
      return state.profiles.defineApplication({
        id,
        account: requireText(input, 'account'),
        region: requireText(input, 'region'),
        name: optionalText(input, 'name').name ?? `application-${id}`,
        foundationModelId: requireText(input, 'foundationModelId'),
      })
    }
    case 'remove-application':
      return { removed: state.profiles.removeApplication(requireText(input, 'arn')) }
    default:
      throw new TypeError('op: add, remove, define-application or remove-application')
  }
}

/** A model that did not exist when the simulator was written; it follows the rules of one that did. */
function defineModel(state: SimulatorState, body: unknown): unknown {
  const input = requireObject(body, 'model')
  refuseUnknown(
    input,
    ['foundationModelId', 'like', 'apiModelId', 'displayName', 'prefixes', 'contextWindow', 'maxOutput', 'usdPerMtok'],
    'model',
  )
  const foundationModelId = requireText(input, 'foundationModelId')
  const like = requireText(input, 'like')
  const pattern = state.profiles.findModel(like)
  if (!pattern) throw new TypeError(`like: no model ${like}`)
  const { like: _, ...own } = input
  const model = {
    ...pattern,
    apiModelId: foundationModelId.replace(/^anthropic\./, ''),
    displayName: foundationModelId,
    ...own,
  } as CatalogModel
  state.profiles.defineModel(model, like)
  return model
}

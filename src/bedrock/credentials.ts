/** Whose credentials an endpoint uses: the gateway's own, or an assumed role's. They are never mixed. */
import type { Endpoint } from '../foundation/domain/endpoint.ts'
import { isCredentialRefusal, type ProviderFailure } from '../foundation/domain/provider-failure.ts'
import type { Clock } from '../foundation/platform/clock.ts'
import { defined } from '../foundation/platform/defined.ts'
import { CredentialSlot, type LoadCredentials, type LoadedCredentials } from './credential-slot.ts'
import type { AwsCredentials } from './sigv4.ts'

export interface RoleToAssume {
  readonly roleArn: string
  readonly externalId: string | null
  readonly region: string
}

/** Whose credentials they are; without a role, the gateway's own. */
export type CredentialOwner = Pick<RoleToAssume, 'region'> & { readonly roleArn: string | null }

/** At most once a minute for each owner. */
export type OnRefreshFailed = (failure: ProviderFailure, owner: CredentialOwner) => void

/** How credentials are had; replaced in tests. */
export interface CredentialLoaders {
  readonly own: (region: string) => LoadCredentials
  readonly assumed: (role: RoleToAssume, own: () => Promise<AwsCredentials>) => LoadCredentials
}

export interface CredentialSource {
  /** Rejects with a `ProviderError` of kind `credentials`. */
  readonly require: (endpoint: Endpoint) => Promise<AwsCredentials>
  readonly forget: (endpoint: Endpoint) => void
  /** Of the gateway's own, by which it also assumes roles; undefined while none were needed. */
  readonly findOwnKind: (region: string) => 'temporary' | 'long-lived' | undefined
}

export interface CredentialOptions {
  readonly clock: Clock
  readonly loaders?: CredentialLoaders
  readonly onRefreshFailed?: OnRefreshFailed
}

export function createCredentialSource(options: CredentialOptions): CredentialSource {
  const loaders = options.loaders ?? awsLoaders
  const onRefreshFailed = options.onRefreshFailed ?? (() => undefined)
  const slots = new Map<string, CredentialSlot>()

  function slotFor(roleArn: string | null, externalId: string | null, region: string): CredentialSlot {
    // JSON keeps the three apart; a joined text could make two different triples equal.
    const key = JSON.stringify([roleArn, externalId, region])
    const known = slots.get(key)
    if (known !== undefined) return known
    const load = roleArn === null ? loaders.own(region) : loadRole({ roleArn, externalId, region })
    const slot = new CredentialSlot(load, options.clock, (failure) => onRefreshFailed(failure, { roleArn, region }))
    dropOldest(slots)
    slots.set(key, slot)
    return slot
  }

  function loadRole(role: RoleToAssume): LoadCredentials {
    const ownSlot = (): CredentialSlot => slotFor(null, null, role.region)
    const load = loaders.assumed(role, () => ownSlot().require())
    return async () => {
      try {
        return await load()
      } catch (error) {
        // Nobody else would hear of it: a gateway with roles only never shows its own credentials to the hosted service.
        if (error instanceof Error && isCredentialRefusal(error.name)) ownSlot().forget()
        throw error
      }
    }
  }

  function findSlot(endpoint: Endpoint): CredentialSlot {
    // An external id means nothing without a role.
    const externalId = endpoint.roleArn === null ? null : endpoint.externalId
    return slotFor(endpoint.roleArn, externalId, endpoint.region)
  }

  return {
    require: (endpoint) => findSlot(endpoint).require(),
    forget: (endpoint) => findSlot(endpoint).forget(),
    findOwnKind: (region) => {
      const own = slotFor(null, null, region).findCurrent()
      if (own === undefined) return undefined
      // Only credentials that end come with a session token.
      return own.sessionToken === undefined ? 'long-lived' : 'temporary'
    },
  }
}

const maxSlots = 1_000

function dropOldest(slots: Map<string, CredentialSlot>): void {
  if (slots.size < maxSlots) return
  for (const oldest of slots.keys()) {
    slots.delete(oldest)
    return
  }
}

const sessionName = 'causeway'
/** One hour is the longest a role may be assumed from another role. */
const sessionSeconds = 3_600
const tokenServiceClient = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 6_000 },
}

// The SDK is loaded with the first question: it costs start-up time, and a bearer token never needs it.
const awsLoaders: CredentialLoaders = {
  own(region) {
    return async () => {
      const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers')
      // Made anew each time: a chain gives the credentials it knows until they expire, also when they were refused, and
      // hides failed refreshes. The slot is the only memory.
      const provider = fromNodeProviderChain({ ignoreCache: true, clientConfig: { ...tokenServiceClient, region } })
      return copyCredentials(await provider())
    }
  },
  assumed(role, own) {
    return async () => {
      const { fromTemporaryCredentials } = await import('@aws-sdk/credential-providers')
      const provider = fromTemporaryCredentials({
        masterCredentials: own,
        clientConfig: { ...tokenServiceClient, region: role.region },
        params: {
          RoleArn: role.roleArn,
          RoleSessionName: sessionName,
          DurationSeconds: sessionSeconds,
          ...defined({ ExternalId: role.externalId ?? undefined }),
        },
      })
      return copyCredentials(await provider())
    }
  },
}

function copyCredentials(loaded: LoadedCredentials): LoadedCredentials {
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = loaded
  return {
    accessKeyId,
    secretAccessKey,
    ...defined({ sessionToken, expiration }),
  }
}

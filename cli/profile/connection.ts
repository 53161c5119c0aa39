/** Decides which gateway a command talks to, and with which token: flags, then environment, then the chosen profile. */
import { CliError, usageError } from '../terminal/cli-error.ts'
import type { Environment } from '../terminal/environment.ts'
import type { ConfigFile, Profile } from './config-file.ts'

/** Options of every command that say which gateway is meant. */
export interface GatewayOptions {
  readonly profile?: string
  readonly url?: string
  readonly allowHttp?: boolean
}

export interface Connection {
  readonly url: string
  readonly token: string | undefined
  readonly profile: string
  readonly tokenFrom: 'environment' | 'profile' | 'nowhere'
}

export function profileName(values: GatewayOptions, environment: Environment, file: ConfigFile): string {
  return values['profile'] ?? (environment['CAUSEWAY_PROFILE'] || file.current)
}

/** A profile that is named on the command line is meant more than a variable that is set for every command. */
export function findAddress(
  values: GatewayOptions,
  environment: Environment,
  profile: Profile | undefined,
): string | undefined {
  const elsewhere = values['profile'] === undefined ? environment['CAUSEWAY_URL'] : undefined
  return values['url'] ?? (elsewhere || profile?.url)
}

export function decideConnection(values: GatewayOptions, environment: Environment, file: ConfigFile): Connection {
  const name = profileName(values, environment, file)
  const profile = file.profiles[name]
  const wasNamed = values['profile'] !== undefined || (environment['CAUSEWAY_PROFILE'] ?? '') !== ''
  const address = findAddress(values, environment, profile)
  if (wasNamed && profile === undefined && address === undefined)
    throw usageError(`there is no profile "${name}"`, `causeway login <url> --profile ${name}`)
  const url = requireUrl(address, values['allowHttp'] === true)
  const fromEnvironment = environment['CAUSEWAY_TOKEN'] ?? ''
  // Beside an address the token is for that one, which a named profile has taken the place of.
  const isForAnother = values['profile'] !== undefined && (environment['CAUSEWAY_URL'] ?? '') !== ''
  if (fromEnvironment !== '' && !isForAnother)
    return { url, token: fromEnvironment, profile: name, tokenFrom: 'environment' }
  // A token belongs to the gateway that gave it: another address must not receive it.
  const isOwn = profile?.token !== undefined && new URL(profile.url).origin === new URL(url).origin
  return { url, profile: name, token: isOwn ? profile.token : undefined, tokenFrom: isOwn ? 'profile' : 'nowhere' }
}

export function requireUrl(text: string | undefined, allowHttp: boolean): string {
  if (text === undefined || text === '')
    throw usageError('no gateway is named', 'causeway login https://gateway.example.com, or set CAUSEWAY_URL')
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw usageError(`"${text}" is not the address of a gateway`, 'write it like https://gateway.example.com')
  const url = new URL(text)
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname))
    throw usageError(
      `${text} is not https: a token would travel over an open line`,
      'use https, or --allow-http in a network you trust',
    )
  // What stands in the address bar of the portal, which is where people copy it from, names its gateway too.
  return text.replace(/\/portal\/?(?:[?#].*)?$/, '').replace(/\/+$/, '')
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

export function signInNeeded(url: string): CliError {
  return new CliError(`you are not signed in to ${new URL(url).host}`, {
    exit: 'signInNeeded',
    next: `causeway login ${url}, or set CAUSEWAY_TOKEN`,
  })
}

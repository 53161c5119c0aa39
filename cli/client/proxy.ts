/** The proxy that the environment names counts for commands too, as it does for curl and for the coding client. */
import { usageError } from '../terminal/cli-error.ts'

const NAMES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']
/** A gateway on this machine is behind no proxy. */
const NEVER = ['localhost', '127.0.0.1', '::1']

// Of the process and not of a command, because a proxy is set for the whole of it.
const environment = process.env
let followed: Promise<void> | undefined

/** The variables that name one. */
export const proxyNames: readonly string[] = NAMES.filter((name) => (environment[name] ?? '') !== '')

/** Before the first call, and not at the start: a gateway that runs in this process has ways of its own. */
export function followProxy(): Promise<void> {
  followed ??= setProxy()
  return followed
}

async function setProxy(): Promise<void> {
  if (proxyNames.length === 0) return
  const { setGlobalProxyFromEnv } = await import('node:http')
  const outside = [environment['no_proxy'] ?? environment['NO_PROXY'] ?? [], NEVER].flat().join(',')
  try {
    setGlobalProxyFromEnv({
      ...Object.fromEntries(proxyNames.map((name) => [name, withScheme(environment[name] ?? '')])),
      no_proxy: outside,
    })
  } catch (error) {
    throw usageError(
      `the proxy of ${proxyNames.join(', ')} cannot be used: ${(error as Error).message}`,
      'write it like http://proxy.example.com:3128',
    )
  }
}

/** Curl takes an address without one. */
function withScheme(address: string): string {
  return address.includes('://') ? address : `http://${address}`
}

/** The ports of the process and its orderly end. */

import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Drain } from '../foundation/http/drain.ts'
import { type Listeners, listen } from '../foundation/http/listeners.ts'
import { readExpiry, readTlsFiles, selfSignedTlsFiles } from '../foundation/http/tls.ts'
import type { Logger } from '../foundation/platform/logger.ts'
import { isLoopback } from '../foundation/platform/loopback.ts'
import type { Config } from './config/config.ts'

/** Load balancers notice the readiness only at their next check, so connections are accepted a little longer. */
const ACCEPT_AFTER_STOP_MS = 5_000
/** A call on a connection that was made just before the port closed has come by then. */
const LATE_CALL_MS = 250

export interface OpenPorts extends Listeners {
  /** Null without an HTTPS listener. */
  readonly certificateExpiresAtMs: number | null
}

export async function openPorts(config: Config, handler: RequestListener, log: Logger): Promise<OpenPorts> {
  const tls = await createTls(config, log)
  const listeners = await listen({ host: config.proxyHost, port: config.proxyPort, tls, handler, log }).catch(
    (error: Error) => {
      throw new Error(`PROXY_HOST or PROXY_PORT cannot be listened on: ${error.message}`, { cause: error })
    },
  )
  const certificateExpiresAtMs = tls === null || listeners.tlsPort === null ? null : readExpiry(tls.files)
  return { ...listeners, certificateExpiresAtMs }
}

async function createTls(config: Config, log: Logger) {
  const { tlsPort, tlsCert, tlsKey } = config
  if (tlsPort === 0) return null
  if (tlsCert !== null && tlsKey !== null) return { port: tlsPort, files: await readTlsFiles(tlsCert, tlsKey) }
  if (!isLoopback(config.proxyHost)) return null
  const hosts = ['localhost', '127.0.0.1', '::1', ...audienceHost(config.oidcAudience)]
  const onNotKept = (error: unknown): void =>
    log.warn(
      { err: error, directory: config.dataDir },
      'the self-signed certificate cannot be kept: the next start makes another',
    )
  return { port: tlsPort, files: await selfSignedTlsFiles(config.dataDir, hosts, Date.now(), onNotKept) }
}

/** spec: Authentication 11. An audience that looks like a domain name is the redirect host, so the certificate names it. */
function audienceHost(audience: string | null): string[] {
  return audience !== null && /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/i.test(audience) ? [audience] : []
}

export interface Ending {
  /** Readiness is off already. Resolves when no work is left or its time is up. */
  readonly finish: () => Promise<void>
  /** A second signal: no more waiting. */
  readonly hurry: () => void
}

export function createEnding(listeners: Listeners, drain: Drain, timeoutSeconds: number, log: Logger): Ending {
  const hurrying = new AbortController()
  return {
    hurry: () => hurrying.abort(),
    finish: async () => {
      drain.begin()
      listeners.letGo()
      const timeoutMs = timeoutSeconds * 1000
      const acceptMs = Math.min(ACCEPT_AFTER_STOP_MS, timeoutMs)
      const lateMs = Math.min(LATE_CALL_MS, timeoutMs - acceptMs)
      const wait = (ms: number): Promise<void> => sleep(ms, undefined, { signal: hurrying.signal }).catch(() => {})
      await wait(acceptMs)
      listeners.stopAccepting()
      await wait(lateMs)
      listeners.closeIdle()
      const leftMs = hurrying.signal.aborted ? 0 : timeoutMs - acceptMs - lateMs
      const hurried = new Promise<void>((resolve) => hurrying.signal.addEventListener('abort', () => resolve()))
      const inTime = await Promise.race([drain.finished(leftMs), hurried.then(() => drain.finished(0))])
      if (!inTime) log.warn('time was up: answers still running were ended')
      listeners.closeAll()
    },
  }
}

/** The certificate of the HTTPS listener: the configured pair, or a self-signed one that is made once and kept. */
import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makePrivateDirectory } from '../platform/private-directory.ts'

export interface TlsFiles {
  readonly cert: string
  readonly key: string
}

/** macOS and iOS refuse a server certificate that is valid for longer than 825 days. */
const MAX_VALID_MS = 825 * 24 * 3600 * 1000
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'
const RENEW_BEFORE_MS = 30 * 24 * 3600 * 1000

/** Throws when the two do not belong together: a silent self-signed replacement would hide the mistake. */
export async function readTlsFiles(certPath: string, keyPath: string): Promise<TlsFiles> {
  const [cert, key] = await Promise.all([readText('TLS_CERT', certPath), readText('TLS_KEY', keyPath)])
  let matches: boolean
  try {
    matches = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  } catch {
    throw new Error('TLS_CERT or TLS_KEY is not a PEM certificate and key that can be read')
  }
  if (!matches) throw new Error('TLS_KEY does not belong to TLS_CERT')
  return { cert, key }
}

export function readExpiry({ cert }: TlsFiles): number {
  return new X509Certificate(cert).validToDate.getTime()
}

export async function selfSignedTlsFiles(
  dataDir: string,
  hosts: readonly string[],
  nowMs: number,
  onNotKept: (error: unknown) => void,
): Promise<TlsFiles> {
  const folder = path.join(dataDir, 'tls')
  const findKept = async (): Promise<TlsFiles | undefined> => {
    const kept = await keptPair(folder)
    return kept !== undefined && isAcceptedByClients(kept) && readExpiry(kept) > nowMs + RENEW_BEFORE_MS
      ? kept
      : undefined
  }
  const wasThere = existsSync(folder)
  const kept = await findKept()
  if (kept !== undefined) return kept
  // Before a pair is made, which takes its time: later it might be that of another process.
  if (wasThere) await rm(folder, { recursive: true, force: true }).catch(onNotKept)
  const made = await makePair(hosts, nowMs)
  const fresh = `${folder}-${randomUUID()}`
  try {
    await makePrivateDirectory(fresh)
    await writeFile(path.join(fresh, 'key.pem'), made.key, { mode: 0o600 })
    await writeFile(path.join(fresh, 'cert.pem'), made.cert, { mode: 0o644 })
    // Workers start together and share a port: the pair that is in place first is everybody's.
    await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true }))
  } catch (error) {
    // failure-modes: certificate not kept. A full or read-only disk is no reason not to serve.
    onNotKept(error)
    await rm(fresh, { recursive: true, force: true }).catch(() => undefined)
  }
  return (await findKept()) ?? made
}

async function keptPair(folder: string): Promise<TlsFiles | undefined> {
  try {
    return await readTlsFiles(path.join(folder, 'cert.pem'), path.join(folder, 'key.pem'))
  } catch {
    // failure-modes: kept certificate unreadable. A new one is made; browsers ask once more.
    return undefined
  }
}

/** Earlier releases signed with SHA-1 and left out the extended key usage. macOS refuses such a certificate. */
function isAcceptedByClients({ cert }: TlsFiles): boolean {
  const { signatureAlgorithm, keyUsage, validFromDate, validToDate } = new X509Certificate(cert)
  // Both ends belong to the validity (RFC 5280, section 4.1.2.5).
  const validMs = validToDate.getTime() - validFromDate.getTime() + 1000
  // For Node, `keyUsage` is the extended key usage.
  return /sha256/i.test(signatureAlgorithm ?? '') && keyUsage?.includes(SERVER_AUTH) === true && validMs <= MAX_VALID_MS
}

async function makePair(hosts: readonly string[], nowMs: number): Promise<TlsFiles> {
  const { generate } = await import('selfsigned')
  const altNames = hosts.map((host) =>
    /^[\d.]+$|:/.test(host) ? { type: 7 as const, ip: host } : { type: 2 as const, value: host },
  )
  // A certificate has no fractions of a second.
  const validFromMs = Math.floor(nowMs / 1000) * 1000 - 3_600_000
  const pair = await generate([{ name: 'commonName', value: hosts[0] ?? 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(validFromMs),
    notAfterDate: new Date(validFromMs + MAX_VALID_MS - 1000),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames },
    ],
  })
  return { cert: pair.cert, key: pair.private }
}

async function readText(name: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new Error(`${name}: ${file} could not be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

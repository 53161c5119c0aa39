/** How much a connection to Postgres trusts, as libpq means it, plus pg's own `no-verify`. */
export const sslModes = ['disable', 'allow', 'prefer', 'require', 'no-verify', 'verify-ca', 'verify-full'] as const
export type SslMode = (typeof sslModes)[number]

export function isSslMode(text: string): text is SslMode {
  return sslModes.some((mode) => mode === text)
}

/** Whether a server without TLS is still talked to, in the clear. */
export function mayBePlain(mode: SslMode): boolean {
  return mode === 'disable' || mode === 'allow' || mode === 'prefer'
}

/** Which database the environment names. */
import type { SslMode } from '../domain/ssl-mode.ts'
import type { Secret } from '../platform/secret.ts'

export type DatabaseConfig =
  | { readonly kind: 'none' }
  | { readonly kind: 'url'; readonly url: Secret }
  | { readonly kind: 'embedded'; readonly directory: string }
  | {
      readonly kind: 'parts'
      readonly host: string
      readonly port: number
      readonly name: string
      readonly user: string
      readonly password: Secret | null
      readonly rdsIamAuth: boolean
      readonly sslMode: SslMode | null
      readonly sslRootCert: string | null
    }

/** What the security page is told of a gateway that was started with these variables. */
import { readConfig } from '../../src/app/config/config.ts'
import type { OpenPorts } from '../../src/app/listening.ts'
import type { CredentialKind } from '../../src/bedrock/service-caller.ts'
import { securityFacts } from '../../src/extensions/security-review/security-facts.service.ts'
import type { SecurityFacts } from '../../src/extensions/security-review/security-ports.ts'
import type { Database } from '../../src/foundation/database/database.ts'
import type { DatabaseLink } from '../../src/foundation/database/database-link.ts'

export interface SampleSecurity {
  readonly env?: Readonly<Record<string, string>>
  /** Of the HTTPS listener; none without. */
  readonly certificateExpiresAtMs?: number
  readonly transport?: Database['transport']
  readonly credentialKind?: CredentialKind
}

export function sampleSecurity(sample: SampleSecurity = {}): SecurityFacts {
  const result = readConfig({ DATABASE_URL: 'postgres://127.0.0.1/causeway', ...sample.env })
  if (result.kind === 'invalid') throw new Error(result.mistakes.join('\n'))
  const { transport, certificateExpiresAtMs = null } = sample
  const database = transport === undefined ? undefined : ({ transport } as Database)
  return securityFacts({
    config: result.config,
    version: 'test',
    link: { isConfigured: true, find: () => database } as DatabaseLink,
    listeners: () => ({ certificateExpiresAtMs }) as OpenPorts,
    findCredentialKind: () => sample.credentialKind ?? 'temporary',
  })
}

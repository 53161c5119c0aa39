/** Keys, stored secrets, the credentials towards the models, and what is written down. */
import { keyStatus } from '../../foundation/domain/virtual-key.ts'
import {
  attention,
  bad,
  counted,
  good,
  notCounted,
  type Posture,
  quoted,
  type Rule,
  unknown,
  type Verdict,
} from './check.ts'
import { UNUSED_DAYS } from './idle-days.ts'

/** What most rules about records ask for; the default of the setting. */
const USUAL_AUDIT_DAYS = 365
const SHORTEST_AUDIT_DAYS = 30

const KEYS_ARE_OFF = 'Virtual keys are switched off: none of them works.'

function judgeKeysWithoutEnd({ snapshot, settings, nowMs }: Posture): Verdict {
  if (!settings.virtual_keys_enabled) return good(KEYS_ARE_OFF)
  const active = [...snapshot.keysByHash.values()].filter((key) => keyStatus(key, nowMs) === 'active')
  // A rotated key ends after its grace, though nobody gave it an end.
  const endless = active.filter(({ expiresAtMs, revokedAtMs }) => expiresAtMs === null && revokedAtMs === null)
  const found = `${endless.length} of ${counted(active.length, 'active key')} without an end.`
  return endless.length === 0
    ? good(found)
    : attention(found, 'Give each an end on the page Keys, or rotate it to one that has an end.')
}

function judgeUnusedKeys({ settings, stored }: Posture): Verdict {
  if (!settings.virtual_keys_enabled) return good(KEYS_ARE_OFF)
  if (stored === undefined) return notCounted('the keys')
  const found = `${counted(stored.unusedKeys, 'active key')} not used for ${UNUSED_DAYS} days.`
  return stored.unusedKeys === 0
    ? good(found)
    : attention(found, 'Sort the page Keys by last use and revoke those that nobody needs.')
}

function judgeSecretKey({ facts }: Posture): Verdict {
  if (facts.hasSecretKey) return good('Stored secrets are sealed with SECRET_KEY, which the database does not hold.')
  if (facts.database.kind === 'none') return good('Without a database no secret is stored.')
  return attention(
    'SECRET_KEY is not set: the key that opens stored secrets was made at the first start and lies in the database beside them.',
    'Set SECRET_KEY from your secret store and restart. Client secrets, search keys and the secret of the webhook then have to be stored again.',
  )
}

function judgeCloudCredentials({ snapshot, facts }: Posture): Verdict {
  const used = [...snapshot.endpoints.values()].filter(({ enabled }) => enabled)
  const ofKind = (kind: ReturnType<typeof facts.findCredentialKind>) =>
    used.filter((endpoint) => facts.findCredentialKind(endpoint) === kind).map(({ name }) => name)
  const [byApiKey, longLived, notNeeded] = [ofKind('api-key'), ofKind('long-lived'), ofKind('unknown')]
  if (byApiKey.length > 0)
    return attention(
      `${quoted(byApiKey)} is called with the API key of AWS_BEARER_TOKEN_BEDROCK.`,
      'Run the gateway under a role of its machine, task or pod, and remove AWS_BEARER_TOKEN_BEDROCK; or give the endpoint a role_arn.',
    )
  if (longLived.length > 0)
    return attention(
      `The credentials behind ${quoted(longLived)} are an access key that never ends.`,
      'Run the gateway under a role of its machine, task or pod, and remove AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    )
  if (used.length === 0) return good('No endpoint is enabled, so no credentials are used.')
  if (notNeeded.length > 0)
    return unknown(
      `No credentials were needed for ${quoted(notNeeded)} yet, or none could be had.`,
      'Check the endpoint on the page Endpoints, then look again.',
    )
  return good('The gateway has credentials that end by themselves, as roles give them.')
}

function judgeLog({ facts }: Posture): Verdict {
  const { logLevel } = facts
  if (logLevel !== 'debug' && logLevel !== 'trace')
    return good(`Prompts and answers are neither stored nor logged. The log level is ${logLevel}.`)
  return bad(
    `The log level is ${logLevel}: the bodies of requests and answers go into the log.`,
    'Set RUST_LOG to info and restart, and remove what was logged meanwhile.',
  )
}

function judgeAuditRetention({ settings, facts }: Posture): Verdict {
  if (facts.database.kind === 'none')
    return attention(
      'The gateway runs without a database: what administrators do is not recorded.',
      'Set DATABASE_URL or DATABASE_HOST.',
    )
  const days = settings.audit_retention_days
  const found = `The audit trail is kept for ${counted(days, 'day')}.`
  if (days >= USUAL_AUDIT_DAYS) return good(found)
  const verdict = days < SHORTEST_AUDIT_DAYS ? bad : attention
  return verdict(
    found,
    `Set audit_retention_days to ${USUAL_AUDIT_DAYS} or more, or export the trail before it is deleted: causeway audit export.`,
  )
}

export const secretRules: readonly Rule[] = [
  {
    id: 'keys_without_end',
    title: 'Keys without an end',
    why: 'A key that was copied somewhere works until somebody notices, unless it ends by itself.',
    settings: [],
    judge: judgeKeysWithoutEnd,
  },
  {
    id: 'unused_keys',
    title: 'Keys that nobody uses',
    why: 'Nobody would miss them, and nobody notices when somebody else begins to use one.',
    settings: [],
    judge: judgeUnusedKeys,
  },
  {
    id: 'secret_key',
    title: 'Key of the stored secrets',
    why: 'Whoever gets a backup of the database gets the secrets of your identity providers and search services with it, unless their key is elsewhere.',
    settings: ['SECRET_KEY'],
    judge: judgeSecretKey,
  },
  {
    id: 'cloud_credentials',
    title: 'Credentials towards the models',
    why: 'A key that never ends works for whoever finds it, also long after it was copied.',
    settings: ['AWS_BEARER_TOKEN_BEDROCK', 'role_arn'],
    judge: judgeCloudCredentials,
  },
  {
    id: 'prompts_in_log',
    title: 'Prompts stay out of the log',
    why: 'People write secrets and names into prompts. A log is read by many and copied to many places.',
    settings: ['RUST_LOG'],
    judge: judgeLog,
  },
  {
    id: 'audit_retention',
    title: 'Memory of the audit trail',
    why: 'What happened is often asked for months later.',
    settings: ['audit_retention_days'],
    judge: judgeAuditRetention,
  },
]

/** The virtual keys of the invented company. */

export interface SampleKey {
  readonly name: string
  /** The owner's subject; null for keys that a team's programs share. */
  readonly owner: string | null
  readonly team: string | null
  readonly rateLimitRpm: number | null
  readonly allowedModels: readonly string[] | null
  /** Days from the first start; null never. */
  readonly expiresInDays: number | null
  readonly revokedDaysAgo: number | null
  /** Calls on an ordinary day, for the keys of programs. */
  readonly callsADay: number
}

const plain = {
  owner: null,
  team: null,
  rateLimitRpm: null,
  allowedModels: null,
  expiresInDays: null,
  revokedDaysAgo: null,
  callsADay: 0,
} as const

/** The one that the demo prints. */
export const DEMO_KEY_NAME = 'demo'
/** Somebody else used it too, until it was revoked. */
export const LEAKED_KEY_NAME = 'pasted-in-a-ticket'

function personal(name: string, owner: string, rest: Partial<SampleKey> = {}): SampleKey {
  return { ...plain, name, owner: `${owner}@example.com`, ...rest }
}

function shared(name: string, team: string, rest: Partial<SampleKey> = {}): SampleKey {
  return { ...plain, name, team, ...rest }
}

export const sampleKeys: readonly SampleKey[] = [
  personal(DEMO_KEY_NAME, 'alice'),
  shared('ci-platform', 'Platform', { rateLimitRpm: 120, callsADay: 34 }),
  shared('ci-checkout', 'Checkout', { rateLimitRpm: 120, callsADay: 26, expiresInDays: 12 }),
  shared('ci-mobile', 'Mobile', { rateLimitRpm: 60, callsADay: 18 }),
  shared('nightly-evals', 'Data Science', { rateLimitRpm: 300, callsADay: 30, expiresInDays: 80 }),
  shared('release-notes', 'Customer Tools', { callsADay: 6, allowedModels: ['claude-haiku-5-5', 'claude-sonnet-5-5'] }),
  shared('string-translator', 'Tokyo Studio', {
    callsADay: 14,
    allowedModels: ['claude-haiku-5-5', 'claude-sonnet-5'],
  }),
  shared('incident-summary', 'Platform', { callsADay: 4 }),
  personal('devcontainer', 'jonas'),
  personal('laptop', 'wei'),
  personal('remote-workstation', 'lena'),
  personal('laptop', 'pavel', { expiresInDays: 5 }),
  personal('build-box', 'chloe'),
  personal('laptop', 'ravi', { rateLimitRpm: 30 }),
  personal('notebooks', 'nadia'),
  personal('notebooks', 'maya', { expiresInDays: 30 }),
  personal('gpu-node', 'ethan'),
  personal('laptop', 'kenji'),
  personal('macbook', 'yuki'),
  personal('editor', 'stefan'),
  personal('editor', 'olga', { allowedModels: ['claude-sonnet-5-5', 'claude-haiku-5-5'] }),
  personal('trial', 'viktor', { expiresInDays: -6 }),
  personal('old-laptop', 'marco', { revokedDaysAgo: 41 }),
  personal(LEAKED_KEY_NAME, 'diego', { revokedDaysAgo: 17 }),
  personal('laptop', 'una', { revokedDaysAgo: 29 }),
  shared('prototype-bot', 'Mobile', { revokedDaysAgo: 8 }),
]

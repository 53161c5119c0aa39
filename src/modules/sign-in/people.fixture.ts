/** People, keys, providers and clocks for the tests of this folder. */
import type { IdentityProvider } from '../../foundation/domain/idp.ts'
import { buildPeople } from '../../foundation/domain/people.ts'
import { defaultSettings, type Settings } from '../../foundation/domain/settings.ts'
import type { Team } from '../../foundation/domain/team.ts'
import type { User } from '../../foundation/domain/user.ts'
import type { VirtualKey } from '../../foundation/domain/virtual-key.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import type { IdentityFacts } from './authenticate.ts'

export interface TestClock extends Clock {
  readonly advanceMs: (ms: number) => void
}

export function createTestClock(startMs = Date.parse('2026-03-02T10:00:00Z')): TestClock {
  let passedMs = 0
  return {
    nowMs: () => startMs + passedMs,
    monotonicMs: () => 1_000 + passedMs,
    advanceMs: (ms) => {
      passedMs += ms
    },
  }
}

let nextId = 1

export function aUser(changes: Partial<User> = {}): User {
  const id = changes.id ?? `user-${nextId++}`
  return {
    id,
    subject: `${id}@corp.example`,
    email: `${id}@corp.example`,
    role: 'member',
    grants: [],
    teamId: null,
    active: true,
    identity: null,
    bootstrap: false,
    sessionEpoch: 1,
    createdAt: '2026-01-01T00:00:00Z',
    ...changes,
  }
}

export function aTeam(changes: Partial<Team> = {}): Team {
  return { id: `team-${nextId++}`, name: 'Platform', createdAt: '2026-01-01T00:00:00Z', ...changes }
}

export function aKey(changes: Partial<VirtualKey> & Pick<VirtualKey, 'hash'>): VirtualKey {
  return {
    id: `key-${nextId++}`,
    name: 'build server',
    prefix: 'sk-proxy-0000000',
    userId: null,
    teamId: null,
    rateLimitRpm: null,
    allowedModels: null,
    expiresAtMs: null,
    revokedAtMs: null,
    createdAt: '2026-01-01T00:00:00Z',
    ...changes,
  }
}

export function anIdp(changes: Partial<IdentityProvider> = {}): IdentityProvider {
  return {
    id: `idp-${nextId++}`,
    name: 'Corp',
    issuerUrl: 'https://login.corp.example',
    audience: 'causeway',
    clientId: null,
    jwksUrl: 'https://login.corp.example/keys',
    userClaim: 'auto',
    autoProvision: true,
    defaultRole: 'member',
    allowedDomains: null,
    enabled: true,
    logout: 'local',
    ...changes,
  }
}

export interface FactsContent {
  readonly users?: readonly User[]
  readonly teams?: readonly Team[]
  readonly keys?: readonly VirtualKey[]
  readonly settings?: Partial<Settings>
  readonly revokedSessions?: readonly string[]
}

export function someFacts(content: FactsContent = {}): IdentityFacts {
  return {
    keysByHash: new Map(content.keys?.map((key) => [key.hash, key])),
    ...buildPeople(content.users ?? []),
    teams: new Map(content.teams?.map((team) => [team.id, team])),
    settings: { ...defaultSettings, ...content.settings },
    revokedSessions: new Set(content.revokedSessions),
  }
}

/** The invented company of the demo: its endpoints, teams, people and keys. */
import type { Grant } from '../../../src/foundation/domain/access.ts'
import type { RoutingPrefix } from '../../../src/foundation/domain/endpoint.ts'
import type { RoutingStrategy } from '../../../src/foundation/domain/team.ts'
import type { Role } from '../../../src/foundation/domain/user.ts'

export interface SampleEndpoint {
  readonly name: string
  readonly routingPrefix: RoutingPrefix
  readonly priority: number
  readonly roleArn: string | null
}

/** The first is the one that the gateway makes for its own region; the accounts are those that the simulator trusts. */
export const sampleEndpoints: readonly SampleEndpoint[] = [
  { name: 'us-east-1', routingPrefix: 'us', priority: 1, roleArn: null },
  { name: 'eu-central-1', routingPrefix: 'eu', priority: 2, roleArn: 'arn:aws:iam::222222222222:role/causeway' },
  { name: 'ap-northeast-1', routingPrefix: 'jp', priority: 3, roleArn: 'arn:aws:iam::333333333333:role/causeway' },
]

export interface SampleTeam {
  readonly name: string
  /** Where its people work; no summer time, nobody will miss it. */
  readonly utcOffsetHours: number
  /** Null uses the default endpoint. */
  readonly routing: { readonly strategy: RoutingStrategy; readonly endpoints: readonly string[] } | null
}

export const sampleTeams: readonly SampleTeam[] = [
  { name: 'Platform', utcOffsetHours: 1, routing: null },
  {
    name: 'Checkout',
    utcOffsetHours: 1,
    routing: { strategy: 'primary_fallback', endpoints: ['eu-central-1', 'us-east-1'] },
  },
  { name: 'Mobile', utcOffsetHours: 0, routing: null },
  { name: 'Data Science', utcOffsetHours: -5, routing: null },
  {
    name: 'Tokyo Studio',
    utcOffsetHours: 9,
    routing: { strategy: 'sticky_user', endpoints: ['ap-northeast-1', 'us-east-1'] },
  },
  { name: 'Customer Tools', utcOffsetHours: 1, routing: null },
]

/** How somebody works: which models, and how many sessions on an ordinary day. */
export type Habit = 'deep' | 'steady' | 'mixed' | 'light'

export interface SamplePerson {
  readonly name: string
  readonly subject: string
  readonly team: string | null
  readonly habit: Habit
  readonly role: Role
  readonly grants: readonly Grant[]
  readonly active: boolean
}

const members: Readonly<Record<string, string>> = {
  Platform:
    'Alice Example:mixed, Priya Nair:deep, Jonas Weber:deep, Wei Zhang:steady, Sofia Lindholm:mixed, Tomas Horak:steady, Hannah Boateng:light',
  Checkout:
    'Bob Example:steady, Lena Fischer:deep, Marco Ricci:mixed, Ines Duarte:steady, Pavel Novak:deep, Greta Holm:light, Youssef Amrani:mixed',
  Mobile:
    'Emma Clarke:steady, Noah Hughes:mixed, Chloe Martin:deep, Diego Ramos:steady, Ravi Patel:deep, Zoe Grant:light',
  'Data Science':
    'Farid Haddad:mixed, Nadia Rahman:deep, Oskar Nilsen:steady, Maya Cohen:deep, Ethan Brooks:deep, Lucia Vega:steady, Samir Khan:mixed',
  'Tokyo Studio':
    'Haruka Sato:steady, Kenji Mori:deep, Yuki Tanaka:mixed, Sora Ito:steady, Aiko Kimura:mixed, Ren Abe:light',
  'Customer Tools':
    'Olga Petrova:steady, Peter Lang:mixed, Quinn Murphy:light, Rosa Alvarez:steady, Stefan Kraus:mixed, Tara Singh:steady',
}

/** Alice and Bob are known to the simulated sign-in from the start; the demo adds Priya there. */
export const ssoAdmin = { name: 'Priya Nair', subject: 'priya@example.com' } as const

/** Alice can sign in, so that a lead's view can be looked at. */
const sampleGrants: Readonly<Record<string, readonly Grant[]>> = {
  'alice@example.com': ['team:lead'],
  'lena@example.com': ['team:lead'],
  'ines@example.com': ['billing:read'],
  'hannah@example.com': ['audit:read'],
  'tomas@example.com': ['ops:operate'],
  'wei@example.com': ['ops:operate'],
}

export const samplePeople: readonly SamplePerson[] = [
  ...Object.entries(members).flatMap(([team, list]) => list.split(', ').map((entry) => parsePerson(team, entry))),
  parsePerson(null, 'Viktor Hansen:light'),
  { ...parsePerson(null, 'Una Walsh:light'), active: false },
]

function parsePerson(team: string | null, entry: string): SamplePerson {
  const [name = '', habit = 'light'] = entry.split(':')
  const subject = `${name.split(' ')[0]?.toLowerCase()}@example.com`
  const role: Role = subject === ssoAdmin.subject ? 'admin' : 'member'
  return { name, subject, team, habit: habit as Habit, role, grants: sampleGrants[subject] ?? [], active: true }
}

/** Every noun of the command line, in the order of its help. Modules are loaded when they are needed. */
import type { Leaf, Noun } from '../command/command.ts'

export interface NounEntry {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly summary: string
  readonly group: string
  readonly load: () => Promise<Noun | Leaf>
}

const gateway = 'The gateway itself'
const you = 'You'
const access = 'Access'
const models = 'Models'
const money = 'Money and use'
const administration = 'Administration'

export const nouns: readonly NounEntry[] = [
  {
    name: 'serve',
    summary: 'run the gateway, configured by the environment',
    group: gateway,
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'demo',
    summary: 'run everything on this machine: simulated models, a private database, sample data',
    group: gateway,
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'migrate',
    summary: 'bring the database schema up to date',
    group: gateway,
    load: async () => (await import('./migrate.ts')).migrate,
  },
  {
    name: 'doctor',
    summary: 'find out what is wrong and how to mend it',
    group: gateway,
    load: async () => (await import('./doctor/doctor.ts')).doctor,
  },
  {
    name: 'status',
    summary: 'is the gateway well: instances, database, endpoints, loops',
    group: gateway,
    load: async () => (await import('../modules/operations/status.ts')).status,
  },
  {
    name: 'logs',
    summary: "the newest lines of the gateway's log",
    group: gateway,
    load: async () => (await import('../modules/operations/logs.ts')).logs,
  },
  {
    name: 'login',
    summary: 'sign in to a gateway and remember it',
    group: you,
    load: async () => (await import('../modules/sign-in/login.ts')).login,
  },
  {
    name: 'logout',
    summary: 'end the session and forget its token',
    group: you,
    load: async () => (await import('../modules/sign-in/logout.ts')).logout,
  },
  {
    name: 'whoami',
    summary: 'say who you are to the gateway',
    group: you,
    load: async () => (await import('../modules/sign-in/whoami.ts')).whoami,
  },
  {
    name: 'me',
    summary: 'your own spend, limits and keys',
    group: you,
    load: async () => (await import('./me.ts')).me,
  },
  {
    name: 'profiles',
    aliases: ['profile'],
    summary: 'gateways that this machine knows',
    group: you,
    load: async () => (await import('../modules/sign-in/profiles.ts')).profiles,
  },
  {
    name: 'connect',
    summary: 'set up the coding client on this machine',
    group: you,
    load: async () => (await import('../modules/coding-client/connect.ts')).connect,
  },
  {
    name: 'run',
    summary: 'start a client that uses the gateway, and leave its settings alone',
    group: you,
    load: async () => (await import('../modules/coding-client/run.ts')).run,
  },
  {
    name: 'statusline',
    summary: "one line for the client's status bar",
    group: you,
    load: async () => (await import('../modules/coding-client/statusline.ts')).statusline,
  },
  {
    name: 'mcp',
    summary: 'let an assistant look at the gateway: a read-only MCP server on standard input and output',
    group: you,
    load: async () => (await import('../extensions/mcp/mcp.ts')).mcp,
  },
  {
    name: 'keys',
    aliases: ['key'],
    summary: 'virtual keys',
    group: access,
    load: async () => (await import('../modules/keys/keys.ts')).keys,
  },
  {
    name: 'teams',
    aliases: ['team'],
    summary: 'teams, their members and endpoints',
    group: access,
    load: async () => (await import('../modules/people/teams.ts')).teams,
  },
  {
    name: 'users',
    aliases: ['user'],
    summary: 'people, their roles and grants',
    group: access,
    load: async () => (await import('../modules/people/users.ts')).users,
  },
  {
    name: 'idps',
    aliases: ['idp'],
    summary: 'identity providers',
    group: access,
    load: async () => (await import('../modules/sign-in/idps.ts')).idps,
  },
  {
    name: 'scim',
    summary: 'provisioning by an identity provider',
    group: access,
    load: async () => (await import('../extensions/scim/scim.ts')).scim,
  },
  {
    name: 'models',
    summary: 'models and what their ids mean',
    group: models,
    load: async () => (await import('../modules/models/models.ts')).models,
  },
  {
    name: 'endpoints',
    aliases: ['endpoint'],
    summary: 'accounts and regions that serve models',
    group: models,
    load: async () => (await import('../modules/endpoints/endpoints.ts')).endpoints,
  },
  {
    name: 'aip',
    summary: 'application inference profiles of an endpoint',
    group: models,
    load: async () => (await import('../modules/endpoints/aip.ts')).aip,
  },
  {
    name: 'betas',
    summary: 'what inference profiles take, and overrides of it',
    group: models,
    load: async () => (await import('../modules/endpoints/betas.ts')).betas,
  },
  {
    name: 'capabilities',
    summary: 'what profiles are known to take (the same as betas list)',
    group: models,
    load: async () => (await import('../modules/endpoints/capabilities.ts')).capabilities,
  },
  {
    name: 'budgets',
    aliases: ['budget'],
    summary: 'what people and teams may spend',
    group: money,
    load: async () => (await import('../modules/budgets/budgets.ts')).budgets,
  },
  {
    name: 'prices',
    aliases: ['pricing'],
    summary: 'what tokens cost',
    group: money,
    load: async () => (await import('../modules/models/prices.ts')).prices,
  },
  {
    name: 'analytics',
    summary: 'what the organization uses and spends',
    group: money,
    load: async () => (await import('../modules/analytics/analytics.ts')).analytics,
  },
  {
    name: 'requests',
    aliases: ['request'],
    summary: 'single calls and what became of them',
    group: money,
    load: async () => (await import('../modules/analytics/requests.ts')).requests,
  },
  {
    name: 'why',
    summary: 'explain why a request failed and what to do about it',
    group: money,
    load: async () => (await import('../modules/analytics/why.ts')).why,
  },
  {
    name: 'sessions',
    summary: 'client sessions and their cost',
    group: money,
    load: async () => (await import('../modules/analytics/sessions.ts')).sessions,
  },
  {
    name: 'settings',
    summary: 'settings that change without a restart',
    group: administration,
    load: async () => (await import('../modules/settings/settings.ts')).settings,
  },
  {
    name: 'managed-settings',
    summary: 'settings that clients get from the gateway',
    group: administration,
    load: async () => (await import('../extensions/managed-settings/managed-settings.ts')).managedSettings,
  },
  {
    name: 'websearch',
    summary: 'web search for models',
    group: administration,
    load: async () => (await import('../modules/web-search/websearch.ts')).websearch,
  },
  {
    name: 'notifications',
    summary: 'where events go, and which',
    group: administration,
    load: async () => (await import('../modules/notifications/notifications.ts')).notifications,
  },
  {
    name: 'audit',
    summary: 'who changed what',
    group: administration,
    load: async () => (await import('../modules/operations/audit.ts')).audit,
  },
  {
    name: 'security',
    summary: 'how safe the gateway is set up, what it keeps and whom it calls',
    group: administration,
    load: async () => (await import('../extensions/security-review/security.ts')).security,
  },
  {
    name: 'export',
    summary: 'write the configuration as YAML',
    group: administration,
    load: async () => (await import('../extensions/gateway-file/export.ts')).exportCommand,
  },
  {
    name: 'diff',
    summary: 'compare a file with the gateway',
    group: administration,
    load: async () => (await import('../extensions/gateway-file/diff.ts')).diff,
  },
  {
    name: 'apply',
    summary: 'bring the gateway to what a file says',
    group: administration,
    load: async () => (await import('../extensions/gateway-file/apply.ts')).apply,
  },
  {
    name: 'completion',
    summary: 'print a completion script for your shell',
    group: administration,
    load: async () => (await import('./completion.ts')).completion,
  },
]

export function findNoun(name: string | undefined): NounEntry | undefined {
  return nouns.find((noun) => noun.name === name || noun.aliases?.includes(name ?? '') === true)
}

/** `causeway betas`: what profiles take, and an administrator's own word about it. */
import { type Command, InvalidArgumentError } from 'commander'
import type { AdminApi } from '../admin-api.ts'

export interface CommandParts {
  /** Made when a command runs, so that help needs no configuration. */
  readonly api: () => AdminApi
  readonly print: (line: string) => void
}

const OVERRIDES = '/admin/capabilities/overrides'

export function addBetasCommand(program: Command, { api, print }: CommandParts): void {
  const betas = program.command('betas').description('what inference profiles take, and overrides of it')

  betas
    .command('override')
    .description('decide for good whether a profile on an endpoint takes a beta')
    .argument('<endpoint-id>')
    .argument('<profile-id>')
    .argument('<beta-name>')
    .argument('<supported>', 'true or false', parseBoolean)
    .option('--reason <text>', 'why, for other administrators')
    .action(async (endpointId: string, profileId: string, beta: string, supported: boolean, options: Reason) => {
      const key = keyOf(endpointId, profileId, beta)
      await api().call('PUT', OVERRIDES, { ...key, supported, ...reasonOf(options) })
      print(`${beta} counts as ${supported ? 'supported' : 'unsupported'} by ${profileId}, whatever probes say.`)
    })

  betas
    .command('clear')
    .description('take an override back, so that probes and traffic decide again')
    .argument('<endpoint-id>')
    .argument('<profile-id>')
    .argument('<beta-name>')
    .action(async (endpointId: string, profileId: string, beta: string) => {
      await api().call('DELETE', OVERRIDES, keyOf(endpointId, profileId, beta))
      print(`Probes and traffic decide about ${beta} on ${profileId} again.`)
    })

  betas
    .command('list')
    .description('list what is known')
    .option('--endpoint <id>', 'of one endpoint only')
    .option('--json', 'one JSON object a line')
    .action(async (options: { readonly endpoint?: string; readonly json?: boolean }) => {
      const entries = await listAll(api(), options.endpoint)
      if (entries.length === 0 && options.json !== true) print('Nothing is known yet.')
      for (const entry of entries) print(options.json === true ? JSON.stringify(entry) : lineOf(entry))
    })
}

interface Reason {
  readonly reason?: string
}

function reasonOf({ reason }: Reason): Reason {
  return reason === undefined ? {} : { reason }
}

function keyOf(endpointId: string, profileId: string, beta: string) {
  return { endpoint_id: endpointId, profile_id: profileId, beta_name: beta }
}

function parseBoolean(text: string): boolean {
  if (text === 'true') return true
  if (text === 'false') return false
  throw new InvalidArgumentError('must be true or false')
}

interface Entry {
  readonly endpoint_id: string
  readonly endpoint_name: string | null
  readonly profile_id: string
  readonly beta_name: string
  readonly verdict: string
  readonly source: string
  readonly reason: string | null
}

interface Page {
  readonly data: readonly Entry[]
  readonly next_cursor: string | null
}

const PAGE_LIMIT = 200

async function listAll(api: AdminApi, endpointId: string | undefined): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  let cursor: string | null = null
  do {
    const query = new URLSearchParams({
      limit: String(PAGE_LIMIT),
      ...(endpointId === undefined ? {} : { endpoint_id: endpointId }),
      ...(cursor === null ? {} : { cursor }),
    })
    const page = (await api.call('GET', `/admin/capabilities?${query}`)) as Page
    entries.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null)
  return entries
}

function lineOf(entry: Entry): string {
  const source = entry.source === 'override' ? `override${entry.reason === null ? '' : `: ${entry.reason}`}` : 'learned'
  return `${entry.endpoint_name ?? entry.endpoint_id}  ${entry.profile_id}  ${entry.beta_name}  ${entry.verdict}  (${source})`
}

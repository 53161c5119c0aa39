/**
 * `npm run check:client -- [version]`: drives a real release of the client through a gateway with simulated models, and says what
 * broke and what it sends that the feature table does not know. For every new release of the client; see CONTRIBUTING.md.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LONG_CONTEXT_BETA } from '../src/foundation/domain/capability.ts'
import { deniedBetas, findFeature } from '../src/message-path/translate/feature-table.ts'
import { login, startGateway } from '../test/support/gateway.ts'
import { type Conversation, conversations, type Door } from './client/conversations.ts'
import { type Client, installClient } from './client/install-client.ts'
import { runClient } from './client/run-client.ts'

interface RequestRow {
  readonly request_id: string
  readonly status: number
  readonly model: string
  readonly tools: readonly string[]
  readonly agent_id: string | null
}

interface RequestDetail extends RequestRow {
  readonly betas: { readonly sent: readonly string[]; readonly stripped: readonly string[] }
  readonly repairs: readonly string[]
}

interface HostedBody {
  readonly tools?: readonly unknown[]
  readonly safeguards?: unknown
  readonly stop_sequences?: readonly string[]
}

/** As a model writes: all events at once would hide what happens between two of them. */
const pace = { eventsPerSecond: 100, firstEventDelayMs: 50 }

/** Members of a body that the hosted service is known to take. */
const knownFields = new Set(
  `anthropic_version anthropic_beta max_tokens messages system stop_sequences temperature top_p top_k tools tool_choice thinking
   metadata output_config context_management`.split(/\s+/),
)

const client = installClient(process.argv[2] ?? 'latest')
console.log(`client ${client.version}, ${conversations.length} conversations`)
const gateway = await startGateway({ simulatorSettings: { pace } })
const admin = await login(gateway.url)
const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const headers = { authorization: `Bearer ${admin}`, ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(`${gateway.url}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}
const engine = { provider_type: 'tavily', api_key: 'any', api_url: `${gateway.simulator.searchUrl}/tavily/search` }
await ask('PUT', '/admin/websearch-mode', { mode: 'global', provider: engine })

let failures = 0
for (const conversation of conversations) {
  const startedMs = performance.now()
  const faults = await hold(client, conversation)
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${conversation.title} (${seconds} s)`)
  for (const fault of faults) console.log(`       ${fault}`)
  if (faults.length > 0) failures += 1
}
await tellNews()
await gateway.stop()
process.exit(failures === 0 ? 0 : 1)

/** What went wrong, in sentences. */
async function hold(used: Client, conversation: Conversation): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-client-home-'))
  const before = (await gateway.control.requests()).at(-1)?.n ?? 0
  const { key } = await ask<{ key: string }>('POST', '/admin/keys', { name: conversation.title })
  const faults: string[] = []
  let said = ''
  try {
    for (const [index, prompt] of conversation.prompts.entries()) {
      const further = index === 0 ? [] : ['--continue']
      const args = [...further, '-p', prompt, ...(conversation.options ?? [])]
      const answer = await runClient(used, folder, args, doorTo(gateway.url, key, conversation.door ?? 'token'))
      said = answer.result ?? ''
      if (answer.is_error !== (conversation.fails ?? false)) faults.push(`the client says: ${said.slice(0, 300)}`)
    }
  } catch (error) {
    faults.push(String(error))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  if (conversation.says !== undefined && !conversation.says.test(said))
    faults.push(`not ${conversation.says}: ${said.slice(0, 300)}`)
  const rows = await readRows(`&key=${encodeURIComponent(`=${conversation.title}`)}`)
  if (rows.length === 0 && !conversation.isUnrecorded) faults.push('there is no record of it')
  for (const { status, model } of rows) if (status >= 400) faults.push(`a call of ${model} was answered with ${status}`)
  const called = new Set(rows.flatMap(({ tools }) => tools))
  for (const tool of conversation.tools ?? []) if (!called.has(tool)) faults.push(`no record names the tool ${tool}`)
  if (conversation.hasAgent && rows.every(({ agent_id }) => agent_id === null)) faults.push('no record names an agent')
  if (conversation.hasVerdicts) faults.push(...verdictFaults(await hostedBodies(before)))
  return faults
}

/** Bodies that the simulated models got after that request, oldest first. */
async function hostedBodies(before: number): Promise<readonly HostedBody[]> {
  const requests = await gateway.control.requests()
  return requests
    .filter(({ n, path }) => n > before && path.includes('/invoke'))
    .map(({ body }) => JSON.parse(body) as HostedBody)
}

/** The client's own classifier asks for a few tokens with a stop sequence, once for each tool call. */
function verdictFaults(bodies: readonly HostedBody[]): readonly string[] {
  const faults: string[] = []
  const withTools = bodies.filter(({ tools }) => (tools?.length ?? 0) > 0)
  if (withTools.length === 0 || withTools.some(({ safeguards }) => safeguards === undefined))
    faults.push('a request went on without safeguards')
  if (bodies.some(({ stop_sequences }) => (stop_sequences?.length ?? 0) > 0))
    faults.push('the client judged a tool call on its own')
  return faults
}

function doorTo(url: string, key: string, door: Door): Readonly<Record<string, string>> {
  switch (door) {
    case 'token':
      return { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: key }
    case 'api-key':
      return { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key }
    case 'unknown-key':
      return { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: 'sk-proxy-nobody-has-this-one' }
    case 'bedrock':
      return {
        CLAUDE_CODE_USE_BEDROCK: '1',
        ANTHROPIC_BEDROCK_BASE_URL: url,
        AWS_BEARER_TOKEN_BEDROCK: key,
        AWS_REGION: 'us-east-1',
      }
  }
}

async function readRows(query: string): Promise<readonly RequestRow[]> {
  // Records are written within a second.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  return (await ask<{ data: readonly RequestRow[] }>('GET', `/admin/requests?limit=200${query}`)).data
}

/** For the feature table: names that it should perhaps have a row for. */
async function tellNews(): Promise<void> {
  const details = await Promise.all(
    (await readRows('')).map(({ request_id }) => ask<RequestDetail>('GET', `/admin/requests/${request_id}`)),
  )
  const betas = details.flatMap(({ betas: { sent, stripped } }) => [...sent, ...stripped])
  const fields = (await gateway.control.requests())
    .filter(({ path }) => path.includes('/invoke'))
    .flatMap(({ body }) => Object.keys(JSON.parse(body) as object))
  tell(
    'betas without a row',
    betas.filter((beta) => findFeature(beta) === undefined && !deniedBetas.has(beta) && beta !== LONG_CONTEXT_BETA),
  )
  tell(
    'fields that were sent on unknown',
    fields.filter((field) => !knownFields.has(field) && findFeature(field) === undefined),
  )
  tell(
    'repairs',
    details.flatMap(({ repairs }) => repairs),
  )
}

function tell(what: string, names: readonly string[]): void {
  console.log(`${what}: ${names.length === 0 ? 'none' : ''}`)
  for (const name of [...new Set(names)].sort()) console.log(`  ${name}`)
}

/** The block that the demo prints when everything runs: where to look, who to be, what to try. */

import { relative, sep } from 'node:path'
import { projectRoot } from './program.ts'
import type { Paint } from './progress.ts'
import { ssoAdmin } from './sample/organization.ts'

export interface WelcomeFacts {
  readonly url: string
  readonly adminPassword: string
  readonly virtualKey: string
  /** As a person would name it from where they are. */
  readonly folder: string
  /** What starts the demo, such as `npm run demo --`. */
  readonly command: string
}

/** Short where it lies in the project, which is where the demo is started; whole everywhere else. */
export function shown(folder: string): string {
  return folder.startsWith(`${projectRoot}${sep}`) ? relative(projectRoot, folder) : folder
}

/** What starts this demo again, and not the usual one: with `--fresh` behind it that one's data would be deleted. */
export function commandFor(entry: { readonly command: string; readonly folder: string }, folder: string): string {
  if (folder === entry.folder) return entry.command
  const isPlain = /^[\w./-]+$/.test(folder)
  return `${entry.command} --data-dir ${isPlain ? folder : `'${folder.replaceAll("'", "'\\''")}'`}`
}

/** Served by all endpoints of the sample. */
const DEMO_MODEL = 'claude-opus-5-5'

function curlCommand({ url, virtualKey }: Pick<WelcomeFacts, 'url' | 'virtualKey'>): string {
  const body = { model: DEMO_MODEL, max_tokens: 256, messages: [{ role: 'user', content: 'Hello! Who are you?' }] }
  return [
    `curl -sS ${url}/v1/messages`,
    `-H 'authorization: Bearer ${virtualKey}'`,
    "-H 'anthropic-version: 2023-06-01' -H 'content-type: application/json'",
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n    ')
}

function clientCommand({ url, virtualKey }: Pick<WelcomeFacts, 'url' | 'virtualKey'>): string {
  return `ANTHROPIC_BASE_URL=${url} ANTHROPIC_AUTH_TOKEN=${virtualKey} claude`
}

export function welcomeText(facts: WelcomeFacts, paint: Paint): string {
  const line = (label: string, value: string, note = ''): string =>
    `  ${label.padEnd(12)} ${paint.bold(value)}${note === '' ? '' : paint.dim(`  ${note}`)}`
  return `
${paint.good('Causeway is ready.')} The models behind it are simulated: no cloud account, no cost.

${line('Portal', `${facts.url}/portal`)}
${line('Admin name', 'admin')}
${line('Password', facts.adminPassword)}
${line('Or sign in', 'Example SSO', `as Alice (team lead), Bob (member) or ${ssoAdmin.name.split(' ')[0]} (admin), no password`)}
${line('Virtual key', facts.virtualKey, "Alice's")}

Send a message:

  ${curlCommand(facts)}

Or let Claude Code use it:

  ${clientCommand(facts)}

${paint.dim(`A cloud bill for Analytics → Reconcile is ${facts.folder}/bill.csv.gz`)}
${paint.dim(`Data is kept in ${facts.folder} · the gateway's log is ${facts.folder}/gateway.log`)}
${paint.dim(`Start over with "${facts.command} --fresh" · stop with Ctrl-C`)}
`
}

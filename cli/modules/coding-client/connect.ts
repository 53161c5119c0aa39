/** `causeway connect`: lets the coding client on this machine use the gateway, and proves it with one request. */
import { type Client, createClient } from '../../client/http-client.ts'
import type { Leaf } from '../../command/command.ts'
import { type Context, requireConsent } from '../../command/context.ts'
import { readSecretOption, secretOptions } from '../../command/secret-input.ts'
import { isDocumentFormat, printDocument, type Row } from '../../output/render.ts'
import { milliseconds, money, relativeTime, wholeLimit } from '../../output/shown.ts'
import { readConfigFile } from '../../profile/config-file.ts'
import { CliError, usageError } from '../../terminal/cli-error.ts'
import { changedLines } from './changed-lines.ts'
import { excludeFromGit, type GitState, includeAgain, readGitState } from './keep-from-git.ts'
import { addGateway, findRivals, rivals, type Wanted, withoutRivals } from './merge.ts'
import {
  type Found,
  findClean,
  makeOwnFolder,
  type SettingsFolder,
  settingsFolder,
  writeConnected,
  writeRemoved,
} from './settings-folder.ts'
import { fetchHelper, forgetToken, type Helper, handOver, helperCommand, installHelper } from './token-helper.ts'
import { type Trial, tryGateway } from './try-gateway.ts'

export const connect: Leaf = {
  name: 'connect',
  summary: 'set up the coding client on this machine',
  kind: 'destroy',
  options: [
    { flags: '--remove', text: 'take the gateway out of the settings again' },
    { flags: '--project', text: 'only for the project in this folder (.claude/settings.local.json)' },
    ...secretOptions('key', 'a virtual key, to use it instead of signing in'),
    { flags: '--no-test', text: 'send no test request' },
  ],
  about:
    "Merges the client's settings file and keeps the old one; whatever else stands in it stays. Follows the rules of the setup script.",
  examples: ['connect', 'connect --dry-run', 'connect --remove', 'connect --key-file key.txt --yes'],
  run: async (context, _args, values) => (values['remove'] === true ? remove(context) : setUp(context)),
}

/** What connecting would do; nothing has been changed yet. */
interface Plan {
  readonly folder: SettingsFolder
  readonly found: Found
  readonly git: GitState
  /** Undefined where the client signs in through the helper. */
  readonly key: string | undefined
  readonly helper: Helper
  readonly settingsAfter: Buffer
  readonly isRight: boolean
  readonly changes: readonly string[]
  readonly rivalsInSettings: readonly string[]
  readonly rivalsInShell: readonly string[]
}

async function setUp(context: Context): Promise<void> {
  const client = await context.client()
  const plan = await makePlan(context, client)
  const report = toReport(context, plan)
  tellPlan(context, plan)
  if (context.isDryRun) return finish(context, report)
  await carryOut(context, plan)
  if (context.values['test'] === false) return finish(context, report)
  const trial = await tryGateway(plan.key === undefined ? client : withToken(context, client.base, plan.key))
  for (const [label, text] of describe(context, trial)) tell(context, label, text)
  await finish(context, { ...report, test: trial })
  if (trial.kind === 'failed')
    throw new CliError(`the settings are written, but the test request failed: ${trial.reason}`, {
      exit: 'checkFailed',
      requestId: trial.requestId,
      next: 'causeway doctor',
    })
  tell(context, 'Ready', 'Run: claude')
}

async function makePlan(context: Context, client: Client): Promise<Plan> {
  const { io, values } = context
  const key = await readSecretOption(io, values, 'key')
  if (key !== undefined && !/^sk-proxy-\w+$/.test(key))
    throw usageError('that is not a virtual key', 'they begin with sk-proxy-')
  const folder = settingsFolder(io, values['project'] === true)
  const git = values['project'] === true ? await readGitState(process.cwd()) : 'none'
  if (git === 'tracked' && key !== undefined)
    throw usageError(
      `git tracks ${folder.settings}, so the key would be committed`,
      `git rm --cached ${folder.settings}`,
    )
  const found = await findClean(folder)
  const helper = await fetchHelper(client, io.platform)
  const access: Wanted['access'] =
    key === undefined ? { kind: 'helper', command: helperCommand(folder.helper, io.platform) } : { kind: 'key', key }
  const { body: search } = await client.ask('GET', '/me/search-provider')
  const rivalsInSettings = findRivals(found.clean, access.kind)
  const settingsAfter = addGateway(withoutRivals(found.clean, rivalsInSettings), {
    gateway: helper.gateway,
    access,
    webSearch: search?.mode ?? 'enabled',
  })
  const isRight = found.text === settingsAfter.toString('utf8')
  return {
    folder,
    found,
    git,
    key,
    helper,
    settingsAfter,
    isRight,
    changes: isRight ? [] : changedLines(found.clean.toString('utf8'), settingsAfter.toString('utf8')),
    rivalsInSettings,
    rivalsInShell: shellRivals(context, access.kind),
  }
}

function toReport(context: Context, plan: Plan): Row {
  return {
    gateway: plan.helper.gateway,
    settings: plan.folder.settings,
    git: plan.git,
    changes: plan.changes,
    conflicts: [...plan.rivalsInSettings, ...plan.rivalsInShell],
    dry_run: context.isDryRun,
    test: null,
  }
}

function tell({ io, output }: Context, label: string, text: string): void {
  if (!isDocumentFormat(output.format)) io.out(`${label.padEnd(12)} ${text}\n`)
}

function tellPlan(context: Context, plan: Plan): void {
  const { git, isRight } = plan
  const { settings } = plan.folder
  tell(context, 'Gateway', plan.helper.gateway)
  for (const name of plan.rivalsInSettings)
    tell(context, 'Conflict', `${name} is set in ${settings}; it is taken out (--remove puts it back)`)
  for (const name of plan.rivalsInShell)
    tell(context, 'Conflict', `${name} is set in this terminal; the client will use it. Unset it.`)
  if (isRight) tell(context, 'Settings', `${settings} is right already`)
  else tell(context, 'Settings', `${settings}${context.isDryRun ? ' would change:' : ''}`)
  for (const line of plan.changes) tell(context, '', line)
  if (git === 'committable')
    tell(
      context,
      'Git',
      `${context.isDryRun ? 'would be' : 'is'} told to ignore that file, in its own list on this machine`,
    )
  if (git === 'tracked') tell(context, 'Git', 'tracks that file: everybody who commits it shares these settings')
}

async function carryOut(context: Context, plan: Plan): Promise<void> {
  const { folder, found, key, rivalsInSettings } = plan
  if (rivalsInSettings.length > 0)
    await requireConsent(context, `Take ${rivalsInSettings.join(', ')} out of the settings?`)
  if (key === undefined) {
    await installHelper(folder.helper, plan.helper)
    await giveToken(context, plan.helper.gateway)
  }
  // Before the file is there: a key in it must never be one "git add" away.
  if (plan.git === 'committable') await excludeFromGit(process.cwd())
  if (!plan.isRight) {
    await writeConnected(folder, found, plan.settingsAfter, key !== undefined)
    tell(context, '', `the file from before is ${folder.own}/before`)
  } else if (found.wasConnected) await makeOwnFolder(folder.own)
}

function withToken({ io, version }: Context, base: string, token: string): Client {
  return createClient({ base, token, signal: io.signal, userAgent: `causeway/${version}` })
}

async function giveToken({ io, connection }: Context, gateway: string): Promise<void> {
  const { token, profile, tokenFrom } = await connection()
  if (token === undefined || tokenFrom !== 'profile') return
  await handOver(io, gateway, token, (await readConfigFile(io)).profiles[profile]?.expires_at)
}

async function finish(context: Context, report: Row): Promise<void> {
  if (isDocumentFormat(context.output.format)) await printDocument(context.output, report, [])
}

function describe({ io }: Context, trial: Trial): readonly (readonly [string, string])[] {
  if (trial.kind === 'failed') return [['Test', trial.reason]]
  const { budget } = trial
  return [
    [
      'Test',
      `${trial.model} answered in ${milliseconds(trial.latencyMs)}; ${trial.models} models, ${trial.longContext} with 1M context`,
    ],
    [
      'Budget',
      budget === null
        ? 'no budget limits you'
        : `${money(budget.remaining_usd)} of ${money(wholeLimit(budget))} left, resets ${relativeTime(budget.resets_at, io.nowMs())}`,
    ],
  ]
}

/** Variables of the terminal outrank the settings file. */
function shellRivals({ io }: Context, access: Wanted['access']['kind']): readonly string[] {
  return rivals.filter(
    (name) => (access === 'helper' || name !== 'ANTHROPIC_AUTH_TOKEN') && (io.environment[name] ?? '') !== '',
  )
}

async function remove(context: Context): Promise<void> {
  const { io, values } = context
  const folder = settingsFolder(io, values['project'] === true)
  const found = await findClean(folder)
  const gateway = /"ANTHROPIC_BASE_URL": ?"([^"]+)"/.exec(found.text ?? '')?.[1]
  const document = { settings: folder.settings, was_connected: found.wasConnected, dry_run: context.isDryRun }
  if (!isDocumentFormat(context.output.format))
    io.out(
      found.wasConnected
        ? `${folder.settings} ${context.isDryRun ? 'would be' : 'is'} as it was.\n`
        : 'Nothing of the gateway is in the settings.\n',
    )
  if (found.wasConnected && !context.isDryRun) {
    await writeRemoved(folder, found)
    if (values['project'] === true) await includeAgain(process.cwd())
    if (gateway !== undefined) await forgetToken(io, gateway)
  }
  await finish(context, document)
}

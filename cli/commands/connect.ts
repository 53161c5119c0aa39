/** `causeway connect`: lets the coding client on this machine use the gateway, and proves it with one request. */
import { CliError, usageError } from '../cli-error.ts'
import { type Client, createClient } from '../client/http-client.ts'
import { changedLines } from '../client-settings/changed-lines.ts'
import { excludeFromGit, gitStateOf, includeAgain } from '../client-settings/keep-from-git.ts'
import { addGateway, findRivals, rivals, type Wanted, withoutRivals } from '../client-settings/merge.ts'
import {
  findClean,
  makeOwnFolder,
  settingsFolder,
  writeConnected,
  writeRemoved,
} from '../client-settings/settings-folder.ts'
import { fetchHelper, forgetToken, handOver, helperCommand, installHelper } from '../client-settings/token-helper.ts'
import { type Trial, tryGateway } from '../client-settings/try-gateway.ts'
import type { Leaf } from '../command.ts'
import { type Context, requireConsent } from '../context.ts'
import { isDocumentFormat, printDocument, type Row } from '../output/render.ts'
import { milliseconds, money, relativeTime } from '../output/shown.ts'
import { readConfigFile } from '../profile/config-file.ts'
import { readSecretOption, secretOptions } from '../secret-input.ts'

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

async function setUp(context: Context): Promise<void> {
  const { io, values } = context
  const client = await context.client()
  const key = await readSecretOption(io, values, 'key')
  if (key !== undefined && !/^sk-proxy-\w+$/.test(key))
    throw usageError('that is not a virtual key', 'they begin with sk-proxy-')
  const folder = settingsFolder(io, values['project'] === true)
  const git = values['project'] === true ? await gitStateOf(process.cwd()) : 'none'
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
  const foes = findRivals(found.clean, access.kind)
  const after = addGateway(withoutRivals(found.clean, foes), {
    gateway: helper.gateway,
    access,
    webSearch: search?.mode ?? 'enabled',
  })
  const isRight = found.text === after.toString('utf8')
  const changes = isRight ? [] : changedLines(found.clean.toString('utf8'), after.toString('utf8'))
  const report: Row = {
    gateway: helper.gateway,
    settings: folder.settings,
    git,
    changes,
    conflicts: [...foes, ...shellRivals(context, access.kind)],
    dry_run: context.isDryRun,
    test: null,
  }
  const tell = (label: string, text: string): void => {
    if (!isDocumentFormat(context.output.format)) io.out(`${label.padEnd(12)} ${text}\n`)
  }
  tell('Gateway', helper.gateway)
  for (const name of foes)
    tell('Conflict', `${name} is set in ${folder.settings}; it is taken out (--remove puts it back)`)
  for (const name of shellRivals(context, access.kind))
    tell('Conflict', `${name} is set in this terminal; the client will use it. Unset it.`)
  tell(
    'Settings',
    isRight ? `${folder.settings} is right already` : `${folder.settings}${context.isDryRun ? ' would change:' : ''}`,
  )
  for (const line of changes) tell('', line)
  if (git === 'committable')
    tell('Git', `${context.isDryRun ? 'would be' : 'is'} told to ignore that file, in its own list on this machine`)
  if (git === 'tracked') tell('Git', 'tracks that file: everybody who commits it shares these settings')
  if (context.isDryRun) return finish(context, report)
  if (foes.length > 0) await requireConsent(context, `Take ${foes.join(', ')} out of the settings?`)
  if (key === undefined) {
    await installHelper(folder.helper, helper)
    await giveToken(context, helper.gateway)
  }
  // Before the file is there: a key in it must never be one "git add" away.
  if (git === 'committable') await excludeFromGit(process.cwd())
  if (!isRight) {
    await writeConnected(folder, found, after, key !== undefined)
    tell('', `the file from before is ${folder.own}/before`)
  } else if (found.wasConnected) await makeOwnFolder(folder.own)
  if (values['test'] === false) return finish(context, report)
  const trial = await tryGateway(key === undefined ? client : withToken(context, client.base, key))
  for (const [label, text] of describe(context, trial)) tell(label, text)
  await finish(context, { ...report, test: trial })
  if (trial.kind === 'failed')
    throw new CliError(`the settings are written, but the test request failed: ${trial.reason}`, {
      exit: 'checkFailed',
      requestId: trial.requestId,
      next: 'causeway doctor',
    })
  tell('Ready', 'Run: claude')
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
        : `${money(budget.remaining_usd)} of ${money(budget.limit_usd)} left, resets ${relativeTime(budget.resets_at, io.nowMs())}`,
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

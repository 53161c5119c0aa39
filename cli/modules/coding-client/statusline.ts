/** `causeway statusline`: one line for the client's status bar. The client waits for it, so it answers from its cache. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '../../client/http-client.ts'
import type { Leaf } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import type { Row } from '../../output/render.ts'
import { money } from '../../output/shown.ts'
import { cacheFolder, writePrivateFile } from '../../profile/config-file.ts'
import type { Connection } from '../../profile/connection.ts'

const FRESH_MS = 60_000
/** Of the 300 ms that a status bar may take, starting the program has used the first part. */
const ANSWER_BY_MS = 230
const LEAST_WAIT_MS = 60
const REFRESH_MS = 10_000

interface Figures {
  readonly at_ms: number
  readonly team: string | null
  readonly budgets: readonly {
    readonly scope: string
    readonly remaining_usd: number
    readonly status: string
    readonly resets_at: string
  }[]
}

export const statusline: Leaf = {
  name: 'statusline',
  summary: "one line for the client's status bar",
  kind: 'plain',
  options: [
    { flags: '--json', text: 'print the figures' },
    { flags: '--refresh', text: 'ask the gateway and print nothing' },
  ],
  about:
    'Figures are kept for 60 seconds. It never waits long: a slow gateway is asked in the background for the next time.\nIn the client\'s settings: {"statusLine": {"type": "command", "command": "causeway statusline"}}',
  examples: ['statusline'],
  run: async (context, _args, values) => {
    const connection = await context.connection().catch(() => undefined)
    if (connection?.token === undefined) {
      if (values['refresh'] !== true) context.io.out('not signed in: causeway login\n')
      return
    }
    const path = cachePath(context, connection)
    if (values['refresh'] === true) return void (await ask(context, connection, path, REFRESH_MS))
    const known = await readFigures(path)
    const isFresh = known !== undefined && context.io.nowMs() - known.at_ms < FRESH_MS
    const figures = isFresh ? known : ((await askQuickly(context, connection, path)) ?? known)
    if (values['json'] === true) context.io.out(`${JSON.stringify(figures ?? null)}\n`)
    else context.io.out(`${figures === undefined ? new URL(connection.url).host : formatLine(figures)}\n`)
  },
}

/** Another person or another gateway must not see these figures. */
function cachePath({ io }: Context, { url, token }: Connection): string {
  const name = createHash('sha256').update(`${url}\n${token}`).digest('hex').slice(0, 16)
  return join(cacheFolder(io), `statusline-${name}.json`)
}

async function askQuickly(context: Context, connection: Connection, path: string): Promise<Figures | undefined> {
  const waitMs = Math.max(LEAST_WAIT_MS, ANSWER_BY_MS - performance.now())
  const figures = await ask(context, connection, path, waitMs)
  if (figures === undefined) await refreshInBackground(context)
  return figures
}

async function ask(
  { io, version }: Context,
  connection: Connection,
  path: string,
  timeoutMs: number,
): Promise<Figures | undefined> {
  const client = createClient({
    base: connection.url,
    token: connection.token,
    signal: io.signal,
    userAgent: `causeway/${version} (statusline)`,
    timeoutMs,
  })
  try {
    const [me, { budgets }] = await Promise.all([client.get('/me'), client.get('/me/budget')])
    const figures: Figures = { at_ms: io.nowMs(), team: me.team?.name ?? null, budgets: budgets.map(pickBudget) }
    await writePrivateFile(path, JSON.stringify(figures))
    return figures
  } catch {
    // A status bar has no room for errors; the figures of the last time are shown.
    return undefined
  }
}

function pickBudget({ scope, remaining_usd, status, resets_at }: Row): Figures['budgets'][number] {
  return { scope, remaining_usd, status, resets_at }
}

function refreshInBackground({ io, values }: Context): Promise<void> {
  const chosen = ['profile', 'url'].filter((name) => values[name] !== undefined)
  const flags = chosen.flatMap((name) => [`--${name}`, String(values[name])])
  return io.runBehind([...flags, ...(values['allowHttp'] === true ? ['--allow-http'] : []), 'statusline', '--refresh'])
}

async function readFigures(path: string): Promise<Figures | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Figures
  } catch {
    return undefined
  }
}

/** The budget that ends first is the one that matters. */
export function formatLine({ team, budgets }: Omit<Figures, 'at_ms'>): string {
  const tightest = budgets.toSorted((a, b) => a.remaining_usd - b.remaining_usd)[0]
  const parts = [
    ...(team === null ? [] : [team]),
    ...(tightest === undefined ? ['no budget'] : [`${money(Math.max(0, tightest.remaining_usd))} left`]),
    ...(tightest === undefined || tightest.status === 'ok' ? [] : [tightest.status]),
    ...(tightest === undefined ? [] : [`resets ${localTime(tightest.resets_at)}`]),
  ]
  return parts.join(' · ')
}

function localTime(iso: string): string {
  return new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit', hour12: false })
    .format(new Date(iso))
    .replace(',', '')
}

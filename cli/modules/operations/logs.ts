/** `causeway logs`: the newest lines of every instance, with a sign-in to the gateway alone. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../client/http-client.ts'
import type { Leaf } from '../../command/command.ts'
import type { Context, Values } from '../../command/context.ts'
import { wholeNumber } from '../../command/option-values.ts'
import { isDocumentFormat, type Row } from '../../output/render.ts'
import { harmless } from '../../output/table.ts'
import { CliError } from '../../terminal/cli-error.ts'

const POLL_MS = 1_000
/** Which instance answers is chance: so often for each of them nearly every one was asked. */
const ASKED_FOR_EACH = 4
const SHORT_ID = 8
const MOST_LINES = 200

interface Line {
  readonly instance_id: string
  readonly at: string
  readonly level: string
  readonly text: string
}

export const logs: Leaf = {
  name: 'logs',
  summary: "the newest lines of the gateway's log",
  kind: 'plain',
  routes: ['GET /admin/logs'],
  options: [
    { flags: '-f, --follow', text: 'go on with new lines, until Ctrl-C' },
    { flags: '--level <level>', text: 'the least level that is shown', choices: ['info', 'warn', 'error'] },
    { flags: '-q, --search <text>', text: 'only lines that hold this text' },
    { flags: '--instance <id>', text: 'only lines of this instance; the beginning or the end of its id is enough' },
    { flags: '--limit <n>', text: 'lines of each instance, 1 to 200; default 200', parse: wholeNumber(1, MOST_LINES) },
    { flags: '--json', text: 'one JSON object a line' },
  ],
  about:
    'From the memory of the instances, which holds their last lines and loses them when they end. Lines of debug and trace are not shown.',
  examples: ['logs --level warn', 'logs -f --search req_0197', 'logs --json --instance 0197'],
  run: async (context, _args, values) => {
    const client = await context.client()
    const follows = values['follow'] === true
    const cursors = new Map<string, string>()
    const count = await countInstances(client)
    const shown = createPrinter(context, count > 1)
    const gathered: Line[] = []
    for (let asked = 0; asked < count * ASKED_FOR_EACH && cursors.size < count; asked += 1)
      gathered.push(...(await readNew(context, client, values, cursors)))
    for (const line of gathered.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))) shown(line)
    if (cursors.size < count)
      context.io.err(`only ${cursors.size} of ${count} instances answered; with -f the others are asked on\n`)
    while (follows && !context.io.signal.aborted) {
      await sleep(POLL_MS, undefined, { signal: context.io.signal }).catch(() => undefined)
      if (context.io.signal.aborted) break
      for (const line of await readNew(context, client, values, cursors)) shown(line)
    }
    if (context.io.signal.aborted) throw new CliError('stopped', { exit: 'interrupted' })
  },
}

async function countInstances(client: Client): Promise<number> {
  const { instances } = await client.get('/admin/status')
  return Math.max(1, instances.filter((one: Row) => one.status === 'alive').length)
}

async function readNew(
  { io }: Context,
  client: Client,
  values: Values,
  cursors: Map<string, string>,
): Promise<readonly Line[]> {
  const { instance_id, cursor, left_out, data } = await client.getFromAny('/admin/logs', {
    level: values['level'],
    q: values['search'],
    limit: values['limit'] ?? MOST_LINES,
    after: [...cursors.values()].join(','),
  })
  // At the first look the limit was asked for; later it means that something was missed.
  if (cursors.has(instance_id) && left_out > 0) io.err(`${left_out} lines came faster than they could be read\n`)
  cursors.set(instance_id, cursor)
  const wanted: string = values['instance']?.toLowerCase() ?? ''
  if (!instance_id.startsWith(wanted) && !instance_id.endsWith(wanted)) return []
  return data.map((entry: Omit<Line, 'instance_id'>) => ({ instance_id, ...entry }))
}

function createPrinter({ io, paint, output, values }: Context, isOneOfMany: boolean): (line: Line) => void {
  return (line) => {
    if (values['json'] === true || isDocumentFormat(output.format)) {
      io.out(`${JSON.stringify(line)}\n`)
      return
    }
    const [first = '', ...stack] = line.text.split('\n')
    const level = line.level.toUpperCase().padEnd(5)
    const shownLevel = line.level === 'error' ? paint.red(level) : line.level === 'warn' ? paint.yellow(level) : level
    const instance = isOneOfMany ? `${paint.dim(line.instance_id.slice(-SHORT_ID))} ` : ''
    io.out(`${paint.dim(line.at)} ${instance}${shownLevel} ${harmless(first)}\n`)
    for (const frame of stack) io.out(`${harmless(frame)}\n`)
  }
}

/** What a running command has in hand: the gateway, the terminal, and the form of its output. */
import type { Client, Method } from '../client/http-client.ts'
import { readPages } from '../client/pages.ts'
import type { Paint } from '../output/paint.ts'
import { isDocumentFormat, type Output, printDocument, printPages, type Row } from '../output/render.ts'
import type { Column } from '../output/table.ts'
import type { Connection } from '../profile/connection.ts'
import { usageError } from '../terminal/cli-error.ts'
import type { Io } from '../terminal/io.ts'

// biome-ignore lint/suspicious/noExplicitAny: commander gives what the declared parsers made.
export type Values = Record<string, any>

export interface Context {
  readonly io: Io
  readonly paint: Paint
  readonly output: Output
  readonly values: Values
  readonly version: string
  /** Which gateway, and as whom. Refuses when nothing says so. */
  readonly connection: () => Promise<Connection>
  readonly client: (timeoutMs?: number) => Promise<Client>
  readonly isDryRun: boolean
}

export interface Change {
  readonly method: Method
  readonly path: string
  readonly body?: unknown
  /** A question that names the effect; asked unless `--yes`. */
  readonly confirm?: string
  readonly done: (record: Row) => string
}

/** Asks, tries or sends a change, and says what has happened. Returns what the gateway answered, if it was sent. */
export async function change(context: Context, wanted: Change): Promise<Row> {
  const { io, output } = context
  if (context.isDryRun) {
    const plan = { dry_run: true, method: wanted.method, path: wanted.path, body: withoutSecrets(wanted.body ?? null) }
    if (isDocumentFormat(output.format)) await printDocument(output, plan, [])
    else io.out(`Would send ${plan.method} ${plan.path}${plan.body === null ? '' : ` ${JSON.stringify(plan.body)}`}\n`)
    return undefined
  }
  if (wanted.confirm !== undefined) await requireConsent(context, wanted.confirm)
  const client = await context.client()
  const record = await client.send(wanted.method, wanted.path, wanted.body)
  await printChange(context, record, wanted.done(record))
  return record
}

/** Without an option a command would say that it has changed something. */
export function requireOptions<B extends object>(body: B, command: string): B {
  if (Object.keys(body).length > 0) return body
  throw usageError('what shall change? name it with an option', `causeway ${command} --help`)
}

export async function printChange({ io, output }: Context, record: Row, line: string): Promise<void> {
  if (isDocumentFormat(output.format)) await printDocument(output, record ?? null, [])
  else if (output.format === 'id') io.out(record?.id === undefined ? '' : `${record.id}\n`)
  else io.out(`${line}\n`)
}

export async function requireConsent({ io, values }: Context, question: string): Promise<void> {
  if (values['yes'] === true) return
  if (!io.inputIsTerminal)
    throw usageError(
      `there is no terminal to ask on: ${question}`,
      'run it again with --yes, or look first with --dry-run',
    )
  const answer = await io.ask(`${question} [y/N] `, false)
  if (!/^y(es)?$/i.test(answer)) throw usageError('nothing was changed')
}

const secretFields = /^(api_key|client_secret|secret|token|password)$/

/** A plan may be pasted anywhere. */
function withoutSecrets(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withoutSecrets)
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      secretFields.test(key) && value !== null ? '(not shown)' : withoutSecrets(value),
    ]),
  )
}

export interface Listing {
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly columns: readonly Column<Row>[]
  readonly empty: string
}

export async function printList(context: Context, listing: Listing): Promise<void> {
  const { values } = context
  const query = {
    limit: values['limit'],
    cursor: values['cursor'],
    q: values['search'],
    sort: values['sort'],
    ...listing.query,
  }
  const pages = readPages(await context.client(), listing.path, query, values['all'] === true)
  await printPages(context.output, pages, listing.columns, listing.empty)
}

export async function printRecord(context: Context, record: Row, columns: readonly Column<Row>[]): Promise<void> {
  await printDocument(context.output, record, columns)
}

/** Words around a table are for people alone: programs and pipes get rows. */
export function say({ io, output }: Context, text: string): void {
  if (output.format === 'table' || output.format === 'wide') io.out(`${text}\n`)
}

/** The whole document for programs, and its list for people. */
export async function printInner(
  context: Context,
  inner: {
    readonly document: Row
    readonly rows: readonly Row[]
    readonly columns: readonly Column<Row>[]
    readonly empty: string
  },
): Promise<void> {
  const { output } = context
  if (isDocumentFormat(output.format)) return printDocument(output, inner.document, [])
  const page = (async function* () {
    yield { data: inner.rows }
  })()
  await printPages(output, page, inner.columns, inner.empty)
}

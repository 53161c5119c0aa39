/** Whether the cloud bill has the dollars that the gateway counted, and why not. The report is read as it comes and not kept. */
import { z } from 'zod'
import { MAX_RANGE_DAYS, type UsageRange } from '../../foundation/domain/usage-range.ts'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { ok, type Route, uploadRoute } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { requireRange } from '../../modules/analytics/usage-query.ts'
import { toDay } from '../../modules/spend/usage/usage-source.store.ts'
import { type Report, reportForms, unreadable } from './billed-usage.ts'
import { readChargedCalls } from './charged-calls.store.ts'
import { compare } from './compare.ts'
import { listPromptLengths, toCounted } from './counted-usage.ts'
import { causeKinds } from './effects.ts'
import { readReport } from './read-report.ts'

const day = z.string().max(10).optional()
const tokens = z.object({ input: z.int(), output: z.int(), cache_read: z.int(), cache_write: z.int() })
const compared = {
  billed_usd: z.number(),
  gateway_usd: z.number(),
  difference_usd: z.number(),
  difference_percent: z.number().nullable(),
  status: z.enum(['match', 'differs']),
}
const withTokens = { ...compared, tokens: z.object({ billed: tokens.nullable(), counted: tokens }) }
const text = z.string().nullable()

const cause = z.object({
  kind: z.enum(causeKinds),
  model: text,
  account: text,
  region: text,
  profile: text,
  usd: z.number(),
  first_day: z.string(),
  last_day: z.string(),
  days: z.int(),
  is_certain: z.boolean(),
  prices: z.array(
    z.object({
      tokens: z.string(),
      scope: z.string(),
      billed_usd_per_mtok: z.number(),
      gateway_usd_per_mtok: z.number(),
    }),
  ),
  text: z.string(),
})

const answer = z.object({
  range: z.object({ from: z.string(), to: z.string() }),
  report: z.object({
    form: z.enum(reportForms),
    lines: z.int(),
    used_lines: z.int(),
    first_day: text,
    last_day: text,
    note: text,
  }),
  totals: z.object({ ...withTokens, unexplained_usd: z.number() }),
  by_model: z.array(z.object({ model: z.string(), ...withTokens })),
  days: z.array(z.object({ day: z.string(), model: z.string(), is_final: z.boolean(), ...withTokens })),
  places: z.array(
    z.object({ account: text, region: text, profile: text, endpoints: z.array(z.string()), ...compared }),
  ),
  causes: z.array(cause),
  left_out: z.array(
    z.object({
      side: z.enum(['bill', 'gateway']),
      reason: z.string(),
      lines: z.int(),
      usd: z.number(),
      text: z.string(),
    }),
  ),
})

export function reconciliationRoute(ports: RoutePorts): Route {
  return uploadRoute({
    method: 'POST',
    path: '/admin/analytics/reconciliation',
    access: 'admin',
    grants: ['billing:read'],
    tag: 'Reconciliation',
    summary: 'Compare the cloud bill with what the gateway counted',
    description:
      'The body is a report of the bill as CSV, as it is or packed with gzip, up to 1 GiB unpacked: a Cost and Usage Report of the old form or of CUR 2.0, or the file that Cost Explorer downloads by day and grouped by Service. It is read as it comes and nothing of it is kept. Days are of UTC. `difference_usd` is what was billed (unblended, before discounts, credits and taxes) less what the gateway counted; up to 0.5 % is a `match`. `causes` explain it in dollars, and `unexplained_usd` is what they do not. `left_out` is no part of the difference. `tokens.billed` is null where the report tells no amounts.',
    query: z.strictObject({
      from: day.meta({ description: 'First day, YYYY-MM-DD; goes with `to`. Both left out: the days of the report.' }),
      to: day.meta({ description: `Last day, included; at most ${MAX_RANGE_DAYS} days in all.` }),
    }),
    upload: 'text/csv',
    answers: {
      200: { text: 'Both sides and the reasons for what differs', schema: answer },
      ...badInput,
      ...forAdmins,
    },
    handle: async ({ query, body, headers }) => {
      const nowMs = ports.clock.nowMs()
      const database = ports.database()
      // Before the report: it may take minutes to come, for nothing.
      await database.ping()
      const asked = query.from === undefined && query.to === undefined ? undefined : buildRange(query, nowMs)
      const report = await readReport({
        stream: body,
        contentEncoding: headers['content-encoding'],
        range: asked,
      })
      const range = asked ?? coveredRange(report, nowMs)
      const known = ports.snapshot()
      const rows = await readChargedCalls(database.kysely, range, listPromptLengths(known))
      const result = compare({
        report,
        counted: toCounted(rows, known),
        known,
        nowMs,
        firstKeptDay: firstKeptDay(nowMs, known.settings.spend_retention_days),
      })
      return ok({ range: { from: range.from, to: range.to }, report: reportBody(report), ...result })
    },
  })
}

function buildRange(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  nowMs: number,
): UsageRange {
  return requireRange({ days: 1, from, to, granularity: 'day', tz: 'UTC' }, nowMs)
}

/** A report without a line of usage is about no day; today then stands for none. */
function coveredRange({ covered }: Report, nowMs: number): UsageRange {
  const today = toDay(nowMs)
  const { firstDay: from, lastDay: to } = covered ?? { firstDay: today, lastDay: today }
  if ((Date.parse(to) - Date.parse(from)) / DAY_MS >= MAX_RANGE_DAYS)
    throw unreadable(
      `it covers more than ${MAX_RANGE_DAYS} days, ${from} to ${to}; say with from and to which of them to compare`,
    )
  return buildRange({ from, to }, nowMs)
}

const DAY_MS = 86_400_000

function firstKeptDay(nowMs: number, retentionDays: number): string {
  return toDay(nowMs - retentionDays * DAY_MS)
}

function reportBody({ form, lines, usedLines, covered }: Report) {
  return {
    form,
    lines,
    used_lines: usedLines,
    first_day: covered?.firstDay ?? null,
    last_day: covered?.lastDay ?? null,
    note: usedLines > 0 ? null : writeNote(lines),
  }
}

function writeNote(lines: number): string {
  if (lines === 0) return 'The report has a header and no line.'
  return 'No line of the report is a charge for a Claude model on Bedrock in this range. It may be of another account or month, or be filtered: the charges stand under AWS Marketplace as "Claude … (Amazon Bedrock Edition)".'
}

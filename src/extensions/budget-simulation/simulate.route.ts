/** What a budget would mean before anybody sets it: who would stand where now, and whom it would have stopped. */
import { z } from 'zod'
import { problem } from '../../foundation/domain/errors.ts'
import { usdFromNano } from '../../foundation/domain/money.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { id, isoTime } from '../../foundation/http/fields.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import { budgetInput, checkRules, toBudget } from '../../modules/budgets/budget.fields.ts'
import type { BudgetPorts } from '../../modules/budgets/budget-ports.ts'
import { toDay } from '../../modules/spend/usage/usage-source.store.ts'
import { readBudgetHistory } from './budget-history.store.ts'
import { type SimulatedSubject, simulate, simulatedPeriods, stopsAt } from './simulation.ts'

const scopes = ['user', 'team', 'members', 'default'] as const

const body = z
  .strictObject({ scope: z.enum(scopes), subject_id: id.optional(), ...budgetInput })
  .superRefine((input, issues) => {
    checkRules(input, issues)
    const complain = (message: string): void => issues.addIssue({ code: 'custom', path: ['subject_id'], message })
    if (input.scope === 'default' && input.subject_id !== undefined) complain('goes with user, team and members only')
    if (input.scope !== 'default' && input.subject_id === undefined)
      complain(`is needed: the id of the ${input.scope === 'user' ? 'user' : 'team'}`)
  })

const day = z.string().meta({ description: 'A day of UTC, YYYY-MM-DD.' })

const answer = z.object({
  scope: z.enum(scopes),
  total: z.int().meta({ description: 'How many people or teams it is about.' }),
  current: z.object({
    from: day,
    resets_at: z.iso.datetime(),
    above: z.int().meta({ description: 'Have spent more than the limit.' }),
    warning: z.int(),
    shaped: z.int(),
    blocked: z.int(),
  }),
  finished: z.array(z.object({ from: day, to: day, stopped: z.int() })),
  subjects: z.array(
    z.object({
      scope: z.enum(['user', 'team']),
      subject_id: id,
      name: z.string(),
      spend_usd: z.number(),
      percent: z.number(),
      status: z.enum(['ok', 'warning', 'shaped', 'blocked']),
      stopped_on: z.array(day.nullable()),
    }),
  ),
})

/** The worst come first: whoever is beyond them is not stopped, or one of very many. */
const MOST_LISTED = 100
const DAY_MS = 86_400_000
/** However short records are kept, the sums by day are not forgotten before. */
const LEAST_KEPT_DAYS = 32

export function simulateRoute(ports: BudgetPorts): Route {
  return apiRoute({
    method: 'POST',
    path: '/admin/budgets/simulate',
    access: 'admin',
    tag: 'Budget simulation',
    summary: 'Try a budget against what was spent',
    description:
      'Changes nothing. `user` and `team` are about one subject, `members` about the people of a team without a budget of their own, `default` about everybody without one and without a limit of their team; suspended people are left out. `finished` has up to three periods before the running one, the last first, as far as the sums by day reach; `stopped_on` of a subject has one entry for each of them, the day on which its spend had reached where calls stop. `subjects` has the 100 worst of `total`.',
    body,
    answers: {
      200: { text: 'What it would do', schema: answer },
      ...badInput,
      404: { text: 'There is no user or team with this id' },
      ...forAdmins,
    },
    handle: async ({ body: input }) => {
      const nowMs = ports.clock.nowMs()
      const snapshot = ports.snapshot()
      const scope = input.scope === 'team' ? 'team' : 'user'
      const subjects = findSubjects(input, snapshot)
      const terms = toBudget({ scope, subjectId: input.subject_id ?? '' }, input)
      const keptDays = Math.max(LEAST_KEPT_DAYS, snapshot.settings.spend_retention_days)
      const { current, finished } = simulatedPeriods(input.period, nowMs, nowMs - keptDays * DAY_MS)
      const spends = await readBudgetHistory(ports.database().kysely, {
        scope,
        subjectIds: input.scope === 'default' ? undefined : [...subjects.keys()],
        periods: [current, ...finished],
        stopsAtNanoUsd: stopsAt(terms),
      })
      const result = simulate(subjects, spends, terms, { finished: finished.length, most: MOST_LISTED })
      return ok({
        scope: input.scope,
        total: subjects.size,
        current: {
          from: toDay(current.startMs),
          resets_at: isoTime(current.endMs),
          above: result.above,
          ...result.counts,
        },
        finished: finished.map(({ startMs, endMs }, place) => ({
          from: toDay(startMs),
          to: toDay(endMs - DAY_MS),
          stopped: result.stopped[place] ?? 0,
        })),
        subjects: result.subjects.map((subject) => ({ scope, ...subjectBody(subject) })),
      })
    },
  })
}

function subjectBody({ subjectId, name, spentNanoUsd, percent, status, stoppedOn }: SimulatedSubject) {
  return {
    subject_id: subjectId,
    name,
    spend_usd: usdFromNano(spentNanoUsd),
    percent,
    status,
    stopped_on: [...stoppedOn],
  }
}

type Asked = Pick<z.infer<typeof body>, 'scope' | 'subject_id'>

/** Ids and names of those whom the budget would be for. */
function findSubjects({ scope, subject_id: wanted = '' }: Asked, snapshot: Snapshot): ReadonlyMap<string, string> {
  const { users, teams, userBudgets, teamBudgets } = snapshot
  if (scope === 'user') {
    const user = users.get(wanted)
    if (user === undefined) throw problem('not_found', { what: 'user' })
    return new Map([[user.id, user.subject]])
  }
  const team = teams.get(wanted)
  if (scope !== 'default' && team === undefined) throw problem('not_found', { what: 'team' })
  if (scope === 'team') return new Map([[wanted, team?.name ?? wanted]])
  const isMeant = (teamId: string | null): boolean =>
    scope === 'members'
      ? teamId === wanted
      : (teamId === null ? null : teamBudgets.get(teamId)?.memberLimitNanoUsd) == null
  return new Map(
    [...users.values()]
      .filter((user) => user.active && isMeant(user.teamId) && !userBudgets.has(user.id))
      .map((user) => [user.id, user.subject]),
  )
}

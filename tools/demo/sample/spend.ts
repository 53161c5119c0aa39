/** The spend of the invented company between two moments, day by day. The same moments give the same records. */
import type { SpendRecord } from '../../../src/foundation/domain/spend-record.ts'
import { makeCall } from './make-call.ts'
import { chooseModels, daysBetween } from './model-choice.ts'
import { type SamplePerson, samplePeople } from './organization.ts'
import { createRandom } from './random.ts'
import { DAY_MS, growthFactor, HOUR_MS, isPresent, sessionsADay, startHour, weekdayFactor } from './rhythm.ts'
import { type SampleKey, sampleKeys } from './sample-keys.ts'
import { makeSession, uncached } from './session.ts'
import { findTeam, keyLabel, personalKeyId, type World } from './world.ts'

export interface SpendDay {
  readonly dayStartMs: number
  readonly records: readonly SpendRecord[]
}

/** `fromMs` included, `toMs` not. People or keys that are gone from the database spend nothing. */
export function* spendBetween(world: World, fromMs: number, toMs: number): Generator<SpendDay> {
  // Time zones and long sessions carry calls over midnight, so the neighbours of the range are generated too.
  const firstMs = Math.floor(fromMs / DAY_MS) * DAY_MS - DAY_MS
  for (let dayStartMs = firstMs; dayStartMs < toMs + DAY_MS; dayStartMs += DAY_MS) {
    const records = spendOfDay(world, dayStartMs).filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
    if (records.length > 0) yield { dayStartMs, records }
  }
}

function spendOfDay(world: World, dayStartMs: number): SpendRecord[] {
  const records = [
    ...samplePeople.flatMap((person) => personsDay(world, person, dayStartMs)),
    ...sampleKeys.flatMap((key) => programsDay(world, key, dayStartMs)),
  ]
  return records.sort((one, other) => one.atMs - other.atMs)
}

function personsDay(world: World, person: SamplePerson, dayStartMs: number): SpendRecord[] {
  const userId = world.people.get(person.subject)
  if (userId === undefined || !isPresent(person.subject, dayStartMs, world.anchorMs)) return []
  const daysFromAnchor = daysBetween(world.anchorMs, dayStartMs)
  if (!person.active && daysFromAnchor > -30) return []
  const random = createRandom(`day:${person.subject}:${dayStartMs}`)
  const mean = sessionsADay[person.habit] * weekdayFactor(dayStartMs) * growthFactor(dayStartMs, world.anchorMs)
  const team = findTeam(person.team)
  const teamId = person.team === null ? null : (world.teams.get(person.team) ?? null)
  const localMidnightMs = dayStartMs - (team?.utcOffsetHours ?? 0) * HOUR_MS
  return Array.from({ length: random.times(mean) }, () => {
    const startMs = Math.round(localMidnightMs + startHour(random) * HOUR_MS)
    const keyId = personalKeyId(world, person.subject, startMs)
    return makeSession(
      world,
      {
        caller: { userId, teamId, keyId, team },
        models: chooseModels(person, random, daysFromAnchor),
        startMs,
        cacheTtl: random.chance(0.12) ? '1h' : '5m',
      },
      random,
    )
  }).flat()
}

/** Pipelines and bots: no sessions, no streams, around the clock but busiest when people push. */
function programsDay(world: World, key: SampleKey, dayStartMs: number): SpendRecord[] {
  const keyId = world.keys.get(keyLabel(key))
  if (key.callsADay === 0 || keyId === undefined) return []
  const random = createRandom(`program:${keyLabel(key)}:${dayStartMs}`)
  const team = findTeam(key.team)
  const caller = { userId: null, teamId: world.teams.get(key.team ?? '') ?? null, keyId, team }
  const factor = 0.15 + 0.85 * weekdayFactor(dayStartMs)
  const isNightly = key.name.startsWith('nightly')
  return Array.from({ length: random.times(key.callsADay * factor) }, () => {
    const hour = isNightly ? 1 + random.next() * 2 : random.chance(0.85) ? startHour(random) : random.next() * 24
    const isSmall = random.chance(0.6)
    return makeCall(world, caller, random, {
      atMs: Math.round(dayStartMs + (hour - (team?.utcOffsetHours ?? 0)) * HOUR_MS),
      model: isSmall ? 'claude-haiku-5-5' : key.team === 'Tokyo Studio' ? 'claude-sonnet-5' : 'claude-sonnet-5-5',
      usage: uncached(Math.round(random.longTailed(5_200, 0.9)), Math.round(random.longTailed(700, 0.8))),
      streaming: false,
      tokensPerSecond: isSmall ? 150 : 84,
      stopReason: 'end_turn',
      tools: [],
      webSearches: 0,
      sessionId: null,
      agentId: null,
    })
  })
}

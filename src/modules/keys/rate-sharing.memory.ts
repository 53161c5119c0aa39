/**
 * Rate limits over several instances: places are also taken in the database, or told to it every second where a key is far
 * from its limit. Alone, or without a database, the windows of this process decide.
 */

import { answerWithin } from '../../foundation/domain/budget-answer.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import type { RateDecision, RateWindows } from '../../message-path/ports.ts'
import type { RateShares, UsedPlaces } from './rate-shares.store.ts'
import { type LocalRateWindows, RATE_WINDOW_MS, type RecentCalls } from './rate-windows.memory.ts'

export interface SharingOptions {
  readonly clock: Clock
  readonly instanceId: string
  readonly local: LocalRateWindows
  readonly findStore: () => RateShares | undefined
  readonly onAway: (error: unknown) => void
}

export interface SharedRateWindows extends RateWindows {
  /** Once a second: says that this instance is there, and learns whether it is alone. */
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Places of one key that were taken in the database and not used yet, and who waits for one. */
interface Share {
  ready: number
  readyUntilMs: number
  used: number
  /** The database said that there is none until `freeAtMs`; believed for a moment only, since places are given back. */
  fullUntilMs: number
  freeAtMs: number
  waiting: ((outcome: Outcome) => void)[]
  asking: boolean
  /** Calls that were admitted without a question and that no other instance knows of yet. */
  untold: number
  /** Calls that were given back and do not make a place yet. */
  returned: number
  limitRpm: number
  calledAtMs: number
}

type Outcome =
  | { readonly kind: 'granted'; readonly used: number }
  | { readonly kind: 'full'; readonly freeInMs: number }
  | { readonly kind: 'away' }

type Taken = Extract<RateDecision, { kind: 'taken' }>

/** With a large limit places come in parcels of a fiftieth, which stays well inside a tenth over a few instances. */
const PARCEL_SHARE = 50
/** An unused parcel counts as used for a minute, so it is small and soon forgotten. */
const PARCEL_LIFE_MS = 1_000
/** Far from its limit a key asks nobody: all instances together admit so much of it between two exchanges, at most. */
const UNTOLD_SHARE = 0.05
/** Limits that leave an instance less than this are exact, with a question for every call. */
const MIN_UNTOLD = 2
const ANSWER_MS = 1_000
/** Spares the database a question for every call of a client that does not stop. */
const FULL_MS = 200
/** The database keeps the time of every place; of a larger limit each place stands for several calls. */
const MAX_PLACES = 3_000

function callsOfPlaceIn(limitRpm: number): number {
  return Math.ceil(limitRpm / MAX_PLACES)
}

function toPlaces({ subject, limitRpm, agesMs }: RecentCalls): UsedPlaces {
  const callsOfPlace = callsOfPlaceIn(limitRpm)
  return { subject, agesMs: agesMs.filter((_, index) => index % callsOfPlace === 0) }
}

function newShare(limitRpm: number): Share {
  return {
    ready: 0,
    readyUntilMs: 0,
    used: 0,
    fullUntilMs: 0,
    freeAtMs: 0,
    waiting: [],
    asking: false,
    untold: 0,
    returned: 0,
    limitRpm,
    calledAtMs: 0,
  }
}

export function createRateSharing(options: SharingOptions): SharedRateWindows {
  const { clock, instanceId, local } = options
  const shares = new Map<string, Share>()
  let instances = 1
  /** What others have admitted counts for its whole minute, also after they are gone. */
  let sharedUntilMs = Number.NEGATIVE_INFINITY
  /** Until the exchange of every second gets through: calls would otherwise wait again and again for a database that hangs. */
  let isAway = false

  const away = (error: unknown): void => {
    // failure-modes: rate exchange away. Each instance keeps the limit for itself.
    isAway = true
    options.onAway(error)
  }

  /** What was admitted without a question, for the others; gives back what all have used. */
  const tell = async (store: RateShares, told: readonly (readonly [string, Share])[]): Promise<void> => {
    const news = told.flatMap(([subject, share]) => {
      const callsOfPlace = callsOfPlaceIn(share.limitRpm)
      const places = Math.floor(share.untold / callsOfPlace)
      if (places === 0) return []
      // Taken off before the answer: a second exchange meanwhile must not tell it again.
      share.untold -= places * callsOfPlace
      return [{ subject, share, places, callsOfPlace }]
    })
    if (news.length === 0) return
    try {
      const used = await answerWithin(ANSWER_MS, store.tell(instanceId, news))
      for (const { subject, share, callsOfPlace } of news)
        share.used = (used.get(subject) ?? 0) * callsOfPlace + share.untold
    } catch (error) {
      for (const { share, places, callsOfPlace } of news) share.untold += places * callsOfPlace
      throw error
    }
  }

  const mayGoUntold = (share: Share): boolean => {
    const most = Math.floor((share.limitRpm * UNTOLD_SHARE) / instances)
    return most >= MIN_UNTOLD && share.untold < most && share.used < share.limitRpm / 2
  }

  const ask = async (id: string, share: Share, limitRpm: number): Promise<void> => {
    share.asking = true
    while (share.waiting.length > 0) {
      const waiting = share.waiting.splice(0)
      const callsOfPlace = callsOfPlaceIn(limitRpm)
      const places = Math.floor(limitRpm / callsOfPlace)
      const store = isAway ? undefined : options.findStore()
      if (store === undefined) {
        for (const resolve of waiting) resolve({ kind: 'away' })
        continue
      }
      try {
        await tell(store, [[id, share]])
        const wanted = Math.max(Math.ceil(waiting.length / callsOfPlace), Math.floor(places / PARCEL_SHARE))
        const grant = await answerWithin(ANSWER_MS, store.take(id, instanceId, places, wanted))
        const granted = grant.granted * callsOfPlace
        share.used = grant.used * callsOfPlace - granted
        for (const [index, resolve] of waiting.entries())
          resolve(
            index < granted ? { kind: 'granted', used: (share.used += 1) } : { kind: 'full', freeInMs: grant.freeInMs },
          )
        if (granted < waiting.length) {
          const askedMs = clock.monotonicMs()
          share.freeAtMs = askedMs + grant.freeInMs
          share.fullUntilMs = Math.min(share.freeAtMs, askedMs + FULL_MS)
        }
        share.ready = Math.max(0, granted - waiting.length)
        share.readyUntilMs = clock.monotonicMs() + PARCEL_LIFE_MS
      } catch (error) {
        away(error)
        for (const resolve of waiting) resolve({ kind: 'away' })
      }
    }
    share.asking = false
  }

  const decide = (id: string, limitRpm: number, here: Taken, outcome: Outcome): RateDecision => {
    if (outcome.kind === 'away') return here
    if (outcome.kind === 'granted') return { ...here, remaining: Math.max(0, limitRpm - outcome.used) }
    local.giveBack(id, here.takenAtMs)
    return { kind: 'limited', retryAfterSeconds: Math.min(60, Math.max(1, Math.ceil(outcome.freeInMs / 1_000))) }
  }

  return {
    take: (id, limitRpm) => {
      const here = local.take(id, limitRpm)
      if (instances === 1 || here.kind === 'limited') return here
      let share = shares.get(id)
      if (share === undefined) {
        share = newShare(limitRpm)
        shares.set(id, share)
      }
      share.limitRpm = limitRpm
      const nowMs = clock.monotonicMs()
      share.calledAtMs = nowMs
      if (nowMs < share.fullUntilMs)
        return decide(id, limitRpm, here, { kind: 'full', freeInMs: share.freeAtMs - nowMs })
      if (share.ready > 0 && nowMs < share.readyUntilMs) {
        share.ready -= 1
        share.used += 1
        return { ...here, remaining: Math.max(0, limitRpm - share.used) }
      }
      if (mayGoUntold(share)) {
        share.untold += 1
        share.used += 1
        return { ...here, remaining: Math.min(here.remaining, limitRpm - share.used) }
      }
      const { promise, resolve } = Promise.withResolvers<Outcome>()
      share.waiting.push(resolve)
      if (!share.asking) void ask(id, share, limitRpm)
      return promise.then((outcome) => decide(id, limitRpm, here, outcome))
    },

    giveBack: (id, takenAtMs) => {
      local.giveBack(id, takenAtMs)
      if (instances === 1) return
      const share = shares.get(id)
      if (share !== undefined) {
        share.used = Math.max(0, share.used - 1)
        if (share.untold > 0) {
          share.untold -= 1
          return
        }
        const callsOfPlace = callsOfPlaceIn(share.limitRpm)
        share.returned += 1
        // A place that stands for several calls is free only when all of them were given back.
        if (share.returned < callsOfPlace) return
        share.returned -= callsOfPlace
      }
      options
        .findStore()
        ?.giveBack(id, instanceId)
        .catch((error: unknown) => away(error))
    },

    sync: async () => {
      const store = options.findStore()
      if (store === undefined) return
      const alive = await answerWithin(ANSWER_MS, store.beat(instanceId)).catch((error: unknown) => {
        away(error)
        return undefined
      })
      if (alive === undefined) return
      try {
        // What was admitted alone is in no other instance's count yet. First: a call that asks the database would find it empty.
        if (instances === 1 && alive > 1) await store.publish(instanceId, local.agesMs().map(toPlaces))
      } catch (error) {
        away(error)
        return
      }
      const nowMs = clock.monotonicMs()
      if (alive > 1) sharedUntilMs = nowMs + RATE_WINDOW_MS
      instances = nowMs < sharedUntilMs ? Math.max(2, alive) : 1
      isAway = false
      await tell(store, [...shares]).catch(away)
      for (const [id, share] of shares)
        if (!share.asking && share.untold === 0 && clock.monotonicMs() - share.calledAtMs > RATE_WINDOW_MS)
          shares.delete(id)
    },

    close: async () => {
      await options
        .findStore()
        ?.forgetInstance(instanceId)
        .catch((error: unknown) => away(error))
    },
  }
}

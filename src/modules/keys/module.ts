/** Virtual keys: their routes, their rate limits over all instances, and the notices before they expire. */
import { eventSubject } from '../../foundation/domain/notification-notice.ts'
import type { Core, Module } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import { hourly } from '../../foundation/platform/loops.ts'
import { createAwayNotice } from './away-notice.memory.ts'
import type { KeyPorts, NoteKeyUse } from './key-ports.ts'
import { createKeyUse } from './key-use.service.ts'
import { keyRoutes } from './keys.routes.ts'
import { moveKeys } from './move-keys.service.ts'
import { ownKeyRoutes } from './own-keys.routes.ts'
import { createRateShares } from './rate-shares.store.ts'
import { createRateSharing, type SharedRateWindows } from './rate-sharing.memory.ts'
import { createRateWindows } from './rate-windows.memory.ts'
import { tellExpiringKeys } from './tell-expiring-keys.loop.ts'

export interface KeyParts extends Pick<KeyPorts, 'spendOfKeys'> {
  /** Rate limits go by the same clock as budgets. */
  readonly rateClock: Clock
}

export interface Keys extends Module {
  readonly rateLimits: RateLimits
  /** Says that limits are decided without the database. */
  readonly onAway: (error: unknown) => void
  readonly moveKeys: typeof moveKeys
  readonly noteUse: NoteKeyUse
}

export interface RateLimits extends SharedRateWindows {
  readonly forgetOld: () => Promise<void>
}

export function createKeys(core: Core, parts: KeyParts): Keys {
  const { link, snapshot, clock, findKnownUrl, log } = core
  const onAway = createAwayNotice(log, parts.rateClock)
  const rateLimits = createRateLimits({ ...core, clock: parts.rateClock }, onAway)
  const tell = (): Promise<void> =>
    tellExpiringKeys({
      findDatabase: link.find,
      findSubject: ({ userId, teamId }) => {
        const { users, teams } = snapshot()
        const user = userId === null ? null : (users.get(userId) ?? null)
        return eventSubject(user, teamId ?? user?.teamId ?? null, teams)
      },
      findPortalUrl: findKnownUrl,
      nowMs: clock.nowMs,
    })
  return {
    rateLimits,
    onAway,
    moveKeys,
    noteUse: createKeyUse(link, log),
    routes: listKeyRoutes({ ...core, spendOfKeys: parts.spendOfKeys }),
    loops: [{ name: 'expiring-keys', ...hourly, retryMs: 60_000, jitter: 0.1, run: tell }],
  }
}

export function listKeyRoutes(ports: KeyPorts): readonly Route[] {
  return [...keyRoutes(ports), ...ownKeyRoutes(ports)]
}

/** Requests a minute of each key, counted over all instances. */
export function createRateLimits(
  { instanceId, link, clock }: Pick<Core, 'instanceId' | 'link' | 'clock'>,
  onAway: (error: unknown) => void,
): RateLimits {
  const windows = createRateSharing({
    clock,
    instanceId,
    local: createRateWindows(clock),
    findStore: () => {
      const database = link.find()
      return database === undefined ? undefined : createRateShares(database.hot)
    },
    onAway,
  })
  return {
    ...windows,
    forgetOld: async () => {
      const database = link.find()
      if (database !== undefined) await createRateShares(database.kysely).forgetOld()
    },
  }
}

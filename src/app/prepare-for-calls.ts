/** What must be known before the first call: the database as it should be, its secrets, its spend and its snapshot. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpeningLink } from '../foundation/database/database-link.ts'
import type { Logger } from '../foundation/platform/logger.ts'
import type { SnapshotHolder } from '../foundation/snapshot/snapshot-holder.memory.ts'
import type { BudgetLimits } from '../modules/budgets/budget-limits.service.ts'
import type { EndpointPlane } from '../modules/endpoints/endpoint-plane.service.ts'
import type { Identity } from '../modules/sign-in/identity.service.ts'
import type { SpendWriter } from '../modules/spend/spend-writer.service.ts'
import type { Control } from './control.ts'
import type { StartupResult } from './steps.ts'

export interface PreparationParts {
  readonly link: OpeningLink<StartupResult>
  readonly identity: Pick<Identity, 'useSharedSessionKey'>
  readonly control: Pick<Control, 'useSharedSecretKey'>
  readonly spend: Pick<SpendWriter, 'start'>
  readonly endpoints: Pick<EndpointPlane, 'migrateLegacyAips'>
  readonly budgets: Pick<BudgetLimits, 'sync'>
  readonly holder: Pick<SnapshotHolder, 'isLoaded' | 'reload'>
  readonly changed: () => Promise<void>
  readonly log: Logger
}

const LEGACY_WAIT_MS = 3_000

/** Resolves with things undone when the start was given up. */
export async function prepareForCalls(parts: PreparationParts, signal: AbortSignal): Promise<void> {
  const { link, holder, log } = parts
  if (!link.isConfigured) {
    log.warn('no database is configured: keys, spend and settings are not kept')
    return
  }
  const result = await link.bringUp(signal)
  if (result === undefined || signal.aborted) return
  parts.identity.useSharedSessionKey(result.sessionKey)
  parts.control.useSharedSecretKey(result.secretKey)
  await link.insist(signal, () => parts.spend.start(link.require()))
  await migrateLegacyAips(parts)
  await link.insist(signal, holder.reload)
  if (signal.aborted) return
  // Before the first call: who is not alone shares its rate limits.
  await parts.budgets.sync()
}

/** Never holds up the start for longer than it takes to give up on a silent account. */
async function migrateLegacyAips({ endpoints, holder, changed, log }: PreparationParts): Promise<void> {
  const moving = endpoints.migrateLegacyAips().then(
    (moved) => (moved > 0 && holder.isLoaded() ? changed() : undefined),
    (error: unknown) => log.warn({ err: error }, 'legacy inference profiles were not looked at'),
  )
  await Promise.race([moving, sleep(LEGACY_WAIT_MS, undefined, { ref: false })])
}

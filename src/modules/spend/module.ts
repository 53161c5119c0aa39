/** Spend: every request's record on its way to the database, the spend log, and the sums over it. */
import type { Core, Module } from '../../foundation/http/module.ts'
import { createHousekeeping, type HousekeepingParts } from './housekeeping.loop.ts'
import { prepareSpendLog } from './spend-partitions.start.ts'
import { createSpendWriter, type SpendWriter, type SpendWriterParts } from './spend-writer.service.ts'

export type SpendParts = Pick<
  SpendWriterParts,
  'journalDirectory' | 'whileStoring' | 'onReadBack' | 'noteKeyUse' | 'onStored'
> &
  Pick<HousekeepingParts, 'forgetOld'>

export interface Spend extends Module, Pick<SpendWriter, 'ledger' | 'status' | 'flush'> {
  /** Stores what the last requests have spent, while budgets still follow it. The rest stays in the journal. */
  readonly settle: () => Promise<void>
}

export function createSpend(core: Core, parts: SpendParts): Spend {
  const { link } = core
  const writer = createSpendWriter({ ...core, ...parts })
  const housekeeping = createHousekeeping({ ...core, findDatabase: link.find, forgetOld: parts.forgetOld })
  return {
    ledger: writer.ledger,
    status: writer.status,
    flush: writer.flush,
    settle: writer.close,
    routes: [],
    loops: [{ name: 'spend-flush', intervalMs: 250, retryMs: 1_000, run: writer.flush }, ...housekeeping],
    seed: (database) => prepareSpendLog({ database }),
    start: () => writer.start(link.require()),
  }
}

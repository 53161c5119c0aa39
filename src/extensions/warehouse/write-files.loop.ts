/** Every minute, asks whether a run is due. One instance at a time has it, and the others see how it went. */
import { setInterval } from 'node:timers'
import type { Database } from '../../foundation/database/database.ts'
import { DatabaseUnavailableError } from '../../foundation/database/store-errors.ts'
import type { Loop } from '../../foundation/platform/loops.ts'
import { type ExportPorts, exportRecords } from './export-records.service.ts'
import { createWarehouseState, RENEW_MS } from './warehouse-state.store.ts'

export interface WriterPorts extends Omit<ExportPorts, 'db'> {
  /** Undefined while there is none. */
  readonly findDatabase: () => Database | undefined
}

export interface WarehouseWriter {
  readonly loop: Loop
  readonly run: (signal: AbortSignal) => Promise<void>
}

export function createWarehouseWriter(ports: WriterPorts): WarehouseWriter {
  const { findDatabase, instanceId, log } = ports

  const run = async (stopping: AbortSignal): Promise<void> => {
    const database = findDatabase()
    if (database === undefined) return
    const db = database.kysely
    const state = createWarehouseState(db)
    if (await state.take(instanceId)) {
      const held = holdOn(() => state.renew(instanceId), stopping)
      try {
        await exportRecords({ ...ports, db }, held.signal)
        await state.noteCaughtUp(instanceId)
      } catch (error) {
        if (stopping.aborted) return await state.giveBack(instanceId)
        // The loop says so itself, and the right to write runs out.
        if (error instanceof DatabaseUnavailableError) throw error
        // failure-modes: warehouse away
        log.warn({ err: error }, 'the warehouse could not be written and will be tried again')
        await state.noteFailed(instanceId, describe(error))
      } finally {
        held.release()
      }
    }
  }

  return {
    // Soon after the start, so that a restart is not a minute's delay.
    loop: { name: 'warehouse', intervalMs: 60_000, firstMs: 5_000, jitter: 0.5, run },
    run,
  }
}

/** Renews the right to write until it is released. The signal tells that the process stops or that the right is lost. */
function holdOn(
  renew: () => Promise<boolean>,
  stopping: AbortSignal,
): { readonly signal: AbortSignal; readonly release: () => void } {
  const lost = new AbortController()
  const timer = setInterval(() => {
    renew().then(
      (isHeld) => isHeld || lost.abort(new Error('another instance has taken over in the meantime')),
      // failure-modes: database away. Whoever reads or notes something in this run has the error.
      () => undefined,
    )
  }, RENEW_MS)
  return { signal: AbortSignal.any([stopping, lost.signal]), release: () => clearInterval(timer) }
}

const MAX_REASON = 500

function describe(error: unknown): string {
  const { name, message, code } = (error instanceof Error ? error : new Error(String(error))) as NodeJS.ErrnoException
  // Of a host with several addresses, only the code is told.
  const text = message === '' ? (code ?? '') : message
  return `${name === 'Error' ? '' : `${name}: `}${text}`.slice(0, MAX_REASON)
}

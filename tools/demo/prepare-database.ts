/** Makes the demo's database ready for the gateway: schema, the invented company, spend up to now. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openDatabase } from '../../src/foundation/database/database.ts'
import type { ModelSeed } from '../../src/foundation/domain/model-seed.ts'
import { BILL_FILE, type DemoState, writeState } from './demo-folder.ts'
import { moveIssuer } from './issuer-move.ts'
import { migrateDemoDatabase } from './migrate-database.ts'
import { readWorldIds } from './read-world.ts'
import { samplePeople, sampleTeams } from './sample/organization.ts'
import { DAY_MS, SAMPLE_DAYS } from './sample/rhythm.ts'
import { createSampleBill } from './sample/sample-bill.ts'
import { sampleKeys } from './sample/sample-keys.ts'
import { formatOidcUrl, type SimulatorPorts } from './simulator-program.ts'
import { writeAddresses } from './write-addresses.ts'
import { writeOrganization } from './write-organization.ts'
import { writeSpend } from './write-spend.ts'

export interface PrepareOptions {
  readonly folder: string
  readonly databaseUrl: string
  readonly state: DemoState
  readonly seed: ModelSeed
  readonly ports: SimulatorPorts
  readonly show: (note: string) => void
  readonly signal: AbortSignal
}

export async function prepareDatabase(options: PrepareOptions): Promise<DemoState> {
  const { folder, ports, show, signal } = options
  const database = await openDatabase({ kind: 'url', url: options.databaseUrl, applicationName: 'causeway-demo' })
  try {
    const state = await migrateDemoDatabase(database, folder, options.state)
    const isFirst = state.filledUntilMs === null
    if (isFirst) await writeOrganization(database, { demoKey: state.virtualKey, nowMs: state.createdAtMs })
    else if (state.simulatorPorts !== null)
      await moveIssuer(database, formatOidcUrl(state.simulatorPorts), formatOidcUrl(ports))
    await writeState(folder, { ...state, simulatorPorts: ports })
    const nowMs = Date.now()
    const oldestMs = nowMs - SAMPLE_DAYS * DAY_MS
    const { endpoints } = await readWorldIds(database)
    const bill = createSampleBill(options.seed, endpoints, nowMs)
    const stored = await writeSpend(database, {
      seed: options.seed,
      anchorMs: state.createdAtMs,
      fromMs: Math.max(oldestMs, state.filledUntilMs ?? oldestMs),
      toMs: nowMs,
      withBudgets: isFirst,
      onRecord: bill.add,
      onProgress: (share) => show(`${Math.round(share * 100)} %`),
      signal,
    })
    if (isFirst) {
      await writeAddresses(database)
      await writeFile(join(folder, BILL_FILE), gzipSync(bill.csv()))
    }
    show(isFirst ? firstNote(stored) : `${stored.toLocaleString('en')} new requests`)
    const filled = { ...state, simulatorPorts: ports, filledUntilMs: nowMs }
    await writeState(folder, filled)
    return filled
  } finally {
    await database.close()
  }
}

function firstNote(stored: number): string {
  const requests = `${stored.toLocaleString('en')} requests of ${SAMPLE_DAYS} days`
  return `${sampleTeams.length} teams, ${samplePeople.length} people, ${sampleKeys.length} keys, ${requests}`
}

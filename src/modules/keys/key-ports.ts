/** What the routes of virtual keys need from the rest of the gateway. */
import type { NanoUsd } from '../../foundation/domain/money.ts'
import type { SpendRecord } from '../../foundation/domain/spend-record.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'

export interface KeyPorts extends RoutePorts {
  /** Of the current month. From memory and never failing, since a committed write may wait for it; none is 0. */
  readonly spendOfKeys: (keyIds: readonly string[]) => Promise<ReadonlyMap<string, NanoUsd>>
}

/** Never throws: what is noted is only shown. */
export type NoteKeyUse = (records: readonly SpendRecord[]) => Promise<void>

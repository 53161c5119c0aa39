/** What the routes of virtual keys need from the rest of the gateway. */
import type { NanoUsd } from '../../foundation/domain/money.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'

export interface KeyPorts extends RoutePorts {
  /** Of the current month. From memory and never failing, since a committed write may wait for it; none is 0. */
  readonly spendOfKeys: (keyIds: readonly string[]) => Promise<ReadonlyMap<string, NanoUsd>>
}

/** What the routes of people need from the rest of the gateway. */
import type { Change } from '../../foundation/database/change.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'

export interface PeoplePorts extends RoutePorts {
  readonly moveKeys: MoveKeys
  /** Brings the sums of usage up to date: they follow the log by seconds. */
  readonly catchUpUsage: (database: Database) => Promise<void>
}

/** A user changes teams: called in the same transaction, so that the keys of the user never miss the move. */
export type MoveKeys = (tx: Change['tx'], move: TeamMove) => Promise<void>

export interface TeamMove {
  readonly userId: string
  readonly from: string
  readonly to: string | null
}

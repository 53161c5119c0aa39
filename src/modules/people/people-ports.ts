/** What the routes of people need from the rest of the gateway. */
import type { Change } from '../../foundation/database/change.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import type { UserPatch, UserRecord } from './users.store.ts'

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

/** The rules that hold for every change of a user, whoever makes it; each writes its own line in the audit trail. */
export interface PeopleChanges {
  /** Refuses to demote or deactivate the bootstrap administrator and the last active one. */
  readonly updateUser: (change: Change, userId: string, patch: UserPatch) => Promise<UserRecord>
  readonly removeUser: (change: Change, userId: string) => Promise<void>
}

import type { Account } from '../../world/tenancy/tenancy.table.ts'
import type { World } from '../world.ts'
import { toFanKey } from '../fans/fans.table.ts'
import type { FanRecord } from './fan-records.table.ts'

/** The fields of a fan record that contain notes. */
export type FanNotes = Omit<FanRecord, 'id' | 'accountId' | 'fanId'>

const emptyNotes: FanNotes = { name: null, note: null, timezone: null, birthday: null, city: null }

/**
 * Returns the notes about the fan, without creating a record. All notes are null if there is no
 * record.
 */
export function readFanNotes(world: World, account: Account, fanId: number): FanNotes {
  return world.db.fanRecords.get(toFanKey(account.id, fanId)) ?? emptyNotes
}

/**
 * Updates the given notes about the fan. Creates the record if needed, even for a user who is not a
 * fan of the account.
 */
export function updateFanNotes(
  world: World,
  account: Account,
  { fanId, ...notes }: { fanId: number } & Partial<FanNotes>,
): FanNotes {
  const id = toFanKey(account.id, fanId)
  return world.db.fanRecords.put({
    ...readFanNotes(world, account, fanId),
    ...notes,
    id,
    accountId: account.id,
    fanId,
  })
}

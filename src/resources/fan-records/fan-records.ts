import type { Account } from '../../world/tenancy/tenancy.table.ts'
import type { World } from '../world.ts'
import { fanKey } from '../fans/fans.table.ts'
import type { FanRecord } from './fan-records.table.ts'

/** The notes of a fan record. */
export type FanNotes = Omit<FanRecord, 'id' | 'accountId' | 'fanId'>

const emptyNotes: FanNotes = { name: null, note: null, timezone: null, birthday: null, city: null }

/** The notes about the fan; nulls when there is no record. Reading does not create one. */
export function readRecord(world: World, account: Account, fanId: number): FanNotes {
  return world.db.fanRecords.get(fanKey(account.id, fanId)) ?? emptyNotes
}

/**
 * Sets some notes about the fan and keeps the others. It creates the record when there is none,
 * also of a fan whom the account does not know.
 */
export function writeRecord(
  world: World,
  account: Account,
  { fanId, ...notes }: { fanId: number } & Partial<FanNotes>,
): FanNotes {
  const id = fanKey(account.id, fanId)
  return world.db.fanRecords.put({
    ...readRecord(world, account, fanId),
    ...notes,
    id,
    accountId: account.id,
    fanId,
  })
}

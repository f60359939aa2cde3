import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import type { World } from '../../world/world.ts'
import { fanKey } from '../fans/fans.table.ts'
import { requireSubscription } from '../subscribers/lookup.ts'
import type { FanRecord } from './fan-records.table.ts'

/** The fields that can be noted. */
export type FanNotes = Omit<FanRecord, 'id' | 'accountId' | 'fanId'>

const nothingNoted: FanNotes = { name: null, note: null, timezone: null, birthday: null, city: null }

/** What is noted about the fan; nulls when nothing ever was. Reading makes no record. */
export function readRecord(world: World, account: Account, fanId: number): FanNotes {
  return world.db.fanRecords.get(fanKey(account.id, fanId)) ?? nothingNoted
}

/** Notes what is given and leaves the rest; the first note makes the record. @throws {ApiError} fan_unknown */
export function writeRecord(world: World, account: Account, { fanId, ...notes }: { fanId: number } & Partial<FanNotes>): FanNotes {
  requireSubscription(world, account, fanId)
  const id = fanKey(account.id, fanId)
  return world.db.fanRecords.put({ ...readRecord(world, account, fanId), ...notes, id, accountId: account.id, fanId })
}

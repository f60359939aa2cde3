import { defineFactory } from '../define-factory.ts'
import { toFanKey } from '../fans/fans.table.ts'
import { resolveAccountAndFan } from '../subscribers/account-and-fan.ts'

/** Fills in missing fields of the private notes about a fan. By default, the notes are empty. */
const fanRecordFactory = defineFactory({
  name: 'fanRecord',
  table: 'fanRecords',
  after: ['subscription'],
  complete(given, context) {
    const { accountId, fanId } = resolveAccountAndFan(context, given)
    return { id: toFanKey(accountId, fanId), accountId, fanId }
  },
})

export const fanRecordsFactories = [fanRecordFactory] as const

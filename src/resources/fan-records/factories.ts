import { defineFactory } from '../../world/making.ts'
import { fanKey } from '../fans/fans.table.ts'
import { partiesOf } from '../subscribers/parties.ts'

/** Completes the private notes about a fan: none, unless the caller says more. */
const fanRecordFactory = defineFactory({
  name: 'fanRecord',
  table: 'fanRecords',
  after: ['subscription'],
  complete(given, making) {
    const { accountId, fanId } = partiesOf(making, given)
    return { id: fanKey(accountId, fanId), accountId, fanId }
  },
})

export const fanRecordsFactories = [fanRecordFactory] as const

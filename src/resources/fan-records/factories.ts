import { defineFactory } from '../../world/define.ts'
import { fanKey } from '../fans/fans.table.ts'
import { partiesOf } from '../subscribers/parties.ts'

/** Completes the private notes about a fan: none, unless the caller says more. */
export const fanRecordFactory = defineFactory({
  name: 'fanRecord',
  table: 'fanRecords',
  after: ['subscription'],
  complete(given, making) {
    const { accountId, fanId } = partiesOf(making, given)
    return { id: fanKey(accountId, fanId), accountId, fanId }
  },
})

import { defineResource } from '../define.ts'
import { giveTip, unlockOneMessage, unlockOnePost } from './actions.ts'
import { paymentInvariants } from './invariants.ts'
import { paymentSizes } from './transactions.table.ts'
import { reverseTransaction, settleTransaction } from './transactions.actions.ts'

export const payments = defineResource({
  name: 'payments',
  actions: [giveTip, unlockOnePost, unlockOneMessage, settleTransaction, reverseTransaction],
  sizes: paymentSizes,
  invariants: paymentInvariants,
})

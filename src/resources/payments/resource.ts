import { defineResource } from '../define.ts'
import { giveTip, unlockOneMessage, unlockOnePost } from './actions.ts'
import { paymentInvariants } from './invariants.ts'
import { seedPaymentIds, seedPostPayments, seedTransactions } from './seed.ts'
import { paymentSizes } from './sizes.ts'
import { reverseTransaction, settleTransaction } from './transactions.actions.ts'
import { createFanSpendUpdater } from './transactions.ts'

export const payments = defineResource({
  name: 'payments',
  actions: [giveTip, unlockOnePost, unlockOneMessage, settleTransaction, reverseTransaction],
  sizes: paymentSizes,
  seeds: [
    {
      name: 'payments for posts',
      after: ['posts', 'renewals'],
      account: seedPostPayments,
    },
    {
      name: 'payments',
      after: ['payments for posts', 'chats'],
      account: seedTransactions,
    },
    {
      name: 'order of payments',
      after: ['payments', 'mass messages'],
      account: seedPaymentIds,
    },
  ],
  listeners: [
    {
      name: 'spend of fans',
      attach: (world) => world.db.transactions.onChange(createFanSpendUpdater(world)),
    },
  ],
  invariants: paymentInvariants,
})

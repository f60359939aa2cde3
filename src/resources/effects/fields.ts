import { z } from 'zod'

/** Input field for the id of a fan of the account. */
export const fanId = z
  .int()
  .optional()
  .describe(
    'The user id of a fan of the account. Blocked fans are not accepted. Default: a random fan ' +
      'with a ' +
      'running subscription.',
  )

/** Input field for the id of a published post. */
export const postId = z
  .int()
  .optional()
  .describe(
    'The id of a published post of the account. Default: one of the newest posts, chosen at ' +
      'random.',
  )

/** Input field for the status of a payment. */
export const status = z
  .enum(['done', 'loading'])
  .default('done')
  .describe('loading: the payment is pending until transaction.settle completes it.')

import { defineFactory } from '../../world/making.ts'
import { wordsFor } from '../../world/texts.ts'
import { partiesOf } from '../subscribers/parties.ts'
import { commentText } from './text.ts'

/** Completes comments of fans on posts. */
const commentFactory = defineFactory({
  name: 'comment',
  table: 'comments',
  after: ['post', 'subscription'],
  time: 'postedAt',
  complete(given, making) {
    const postId = given.postId ?? undefined
    const { accountId, fanId } = partiesOf(making, { ...given, accountId: making.accountId(given) })
    return {
      accountId,
      postId:
        postId ??
        making.only('postId', making.world.db.posts.in('published', accountId).walk(), `published post of the account ${accountId}`),
      fanId,
      text: commentText(wordsFor(making)),
      postedAt: making.iso,
      changedAt: making.iso,
    }
  },
})

export const commentsFactories = [commentFactory] as const

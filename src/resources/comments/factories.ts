import { defineFactory } from '../../world/making.ts'
import { mediaFacts, momentOf } from '../../world/moment.ts'
import { personaOf, textsOf } from '../../world/texts.ts'
import { partiesOf } from '../subscribers/parties.ts'
import { CommentWriter } from './writer.ts'

/** Completes comments of fans on posts. */
const commentFactory = defineFactory({
  name: 'comment',
  table: 'comments',
  after: ['post', 'subscription'],
  time: 'postedAt',
  complete(given, making) {
    const postId = given.postId ?? undefined
    const { accountId, fanId } = partiesOf(making, { ...given, accountId: making.accountId(given) })
    const { world, random, at } = making
    const texts = textsOf(world)
    const persona = personaOf(texts, world.db.accounts.get(accountId))
    const post =
      postId ??
      making.only(
        'postId',
        world.db.posts.in('published', accountId).walk(),
        `published post of the account ${accountId}`,
      )
    const commented = world.db.posts.get(post) ?? { topic: '', rawText: '', mediaTypes: [] }
    const writer = new CommentWriter(random, { texts, persona })
    return {
      accountId,
      postId: post,
      fanId,
      text: writer.under(commented)(momentOf(persona, at, mediaFacts(commented.mediaTypes))).text,
      postedAt: making.iso,
      changedAt: making.iso,
    }
  },
})

export const commentsFactories = [commentFactory] as const

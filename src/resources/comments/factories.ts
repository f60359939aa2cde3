import { defineFactory } from '../define-factory.ts'
import { toLocalDate } from '../../seed/local-time.ts'
import { TextPicker } from '../../seed/text-picker.ts'
import { getPersona, requireTexts } from '../../seed/texts.ts'
import { resolveAccountAndFan } from '../subscribers/account-and-fan.ts'
import { CommentWriter } from './writer.ts'

/** Fills in missing fields of comments. By default, a fan is the author. */
const commentFactory = defineFactory({
  name: 'comment',
  table: 'comments',
  after: ['post', 'subscription'],
  time: 'postedAt',
  complete(given, context) {
    const postId = given.postId ?? undefined
    const { accountId, fanId } = resolveAccountAndFan(context, {
      ...given,
      accountId: context.accountId(given),
    })
    const { world, random, at } = context
    const texts = requireTexts(world)
    const persona = getPersona(texts, world.db.accounts.get(accountId))
    const post =
      postId ??
      context.only(
        'postId',
        world.db.posts.in('published', accountId).walk(),
        `published post of the account ${accountId}`,
      )
    const writer = new CommentWriter(random, { texts, persona, picker: new TextPicker(random) })
    return {
      accountId,
      postId: post,
      fanId,
      text: writer.write(world.db.posts.get(post)?.topic ?? '', {
        local: toLocalDate(persona, at),
      }).text,
      postedAt: context.iso,
      changedAt: context.iso,
    }
  },
})

export const commentsFactories = [commentFactory] as const

import { z } from 'zod'
import { lazyStrictObject } from '../../lib/fields.ts'
import { chooseFan, choosePost, getFanName, fanId, postId } from '../effects/pick-records.ts'
import { commentAsFan } from '../effects/fan-activity.ts'
import { accountId, requireAccount } from '../../api/action.ts'
import { truncateText } from '../../lib/text.ts'
import { defineAction } from '../define.ts'
import { toLocalDate } from '../../seed/local-time.ts'
import { TextPicker } from '../../seed/text-picker.ts'
import { listTextValues } from '../fans/fan-values.ts'
import { getPersona, requireTexts } from '../../seed/texts.ts'
import { CommentWriter } from './comments.ts'

export const commentPost = defineAction({
  type: 'post.comment',
  summary: 'A fan comments on a post',
  schema: lazyStrictObject(() => ({
    account_id: accountId,
    post_id: postId,
    fan_id: fanId,
    text: z.string().min(1).max(1000).optional().describe('Plain text. Default: a random value.'),
  })),
  effect(world, { account_id, post_id, fan_id, text: requestedText }) {
    const account = requireAccount(world, account_id)
    const post = choosePost(world, account, {
      post_id,
      what: 'published post with comments enabled',
      accepts: ({ canComment }) => canComment,
    })
    const { fanId: fan } = chooseFan(world, account, { fan_id })
    const persona = getPersona(requireTexts(world), account)
    const texts = requireTexts(world)
    const picker = new TextPicker(world.random)
    const text =
      requestedText ??
      new CommentWriter(world.random, { texts, persona, picker }).write(post.topic, {
        local: toLocalDate(persona, world.clock.now()),
        values: listTextValues(texts, { fan: world.db.fans.get(fan), account }),
      }).text
    const { id } = commentAsFan(world, post, fan, text)
    return {
      happened: `${getFanName(world, fan)} commented on post ${post.id}: ${truncateText(text, 60)}`,
      ids: { account: account.id, fan, post: post.id, comment: id },
    }
  },
})

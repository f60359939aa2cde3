import { z } from 'zod'
import {
  chooseFan,
  choosePost,
  pickRow,
  getFanName,
  fanId,
  postId,
} from '../effects/pick-records.ts'
import { likeAsFan } from '../effects/fan-activity.ts'
import { accountId, requireAccount } from '../../api/action.ts'
import { expireDays, mediaIds, postPrice, lazyStrictObject } from '../../lib/fields.ts'
import { formatPrice } from '../../lib/money.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { toHtml } from '../../lib/text.ts'
import { defineAction } from '../define.ts'
import { toLocalDate } from '../../seed/local-time.ts'
import { TextPicker } from '../../seed/text-picker.ts'
import { getPersona, requireTexts } from '../../seed/texts.ts'
import type { World } from '../world.ts'
import { toVaultKey } from '../vault/vault.table.ts'
import { CaptionWriter } from './caption.ts'
import { addEngagement, hasLiked } from './statistics/engagement.ts'
import { createPost } from './writes.ts'

const count = z.int().min(1).max(10_000_000).default(1)

export const publish = defineAction({
  type: 'post.publish',
  summary: 'The creator publishes a post',
  schema: lazyStrictObject(() => ({
    account_id: accountId,
    text: z
      .string()
      .max(5000)
      .optional()
      .describe('Plain text. May be empty with media. Default: a random value.'),
    price: postPrice.default(0).describe('Price to unlock the post, dollars. 0: free.'),
    media_ids: mediaIds
      .optional()
      .describe(
        'Ids of media in the vault. Default: a random media item that is ready, if the vault ' +
          'has any.',
      ),
    expire_days: expireDays.optional().describe('Days until the post is removed. Default: never.'),
  })),
  effect(world, { account_id, text, price, media_ids, expire_days }) {
    const account = requireAccount(world, account_id)
    const mediaFiles = media_ids ?? drawMedia(world, account)
    const { topic, caption } =
      text === undefined
        ? drawCaption(world, account, { mediaFiles, price })
        : { topic: '', caption: toCaption(text) }
    const post = createPost(world, account, {
      text: caption,
      topic,
      price,
      mediaFiles,
      preview: [],
      rfTag: [],
      rfGuest: [],
      rfPartner: [],
      expireDays: expire_days,
    })
    const forPrice = price === 0 ? '' : ` for ${formatPrice(price)}`
    return {
      happened: `${account.username} published post ${post.id}${forPrice}`,
      ids: { account: account.id, post: post.id },
    }
  },
})

export const likePost = defineAction({
  type: 'post.like',
  summary: 'Fans like a post',
  schema: lazyStrictObject(() => ({
    account_id: accountId,
    post_id: postId,
    fan_id: fanId,
    count: count.describe(
      'Total number of likes. The notification names only one of the fans, and each fan likes a ' +
        'post only once.',
    ),
  })),
  effect(world, { account_id, post_id, fan_id, count: likes }) {
    const account = requireAccount(world, account_id)
    const post = choosePost(world, account, { post_id })
    const { fanId: fan } = chooseFan(world, account, {
      fan_id,
      prefers: ({ fanId: id }) => !hasLiked(world, post, id),
    })
    const isNew = likeAsFan(world, post, fan, likes - 1) > 0
    const others = likes === 1 ? '' : ` and ${likes - 1} others`
    const verb = isNew ? 'liked' : 'had already liked'
    return {
      happened: `${getFanName(world, fan)}${others} ${verb} post ${post.id}`,
      ids: { account: account.id, fan, post: post.id },
    }
  },
})

export const viewPost = defineAction({
  type: 'post.view',
  summary: 'Users view a post',
  schema: z.lazy(() =>
    z
      .strictObject({
        account_id: accountId,
        post_id: postId,
        count: count.describe('Views.'),
        unique: z
          .int()
          .min(0)
          .max(10_000_000)
          .optional()
          .describe('Number of views by new viewers. Default: 70 % of count.'),
      })
      .refine(({ count: views, unique = 0 }) => unique <= views, {
        error: 'unique must not be above count',
      }),
  ),
  effect(
    world,
    { account_id, post_id, count: looks, unique: uniqueLooks = Math.ceil(looks * 0.7) },
  ) {
    const account = requireAccount(world, account_id)
    const post = choosePost(world, account, { post_id })
    addEngagement(world, post, { looks, uniqueLooks })
    return {
      happened: `Post ${post.id} was viewed ${looks === 1 ? 'once' : `${looks} times`}`,
      ids: { account: account.id, post: post.id },
    }
  },
})

/** Picks a random topic and caption that suit the current time. */
function drawCaption(
  world: World,
  account: Account,
  { mediaFiles, price }: { mediaFiles: readonly number[]; price: number },
): { topic: string; caption: string } {
  const texts = requireTexts(world)
  const persona = getPersona(texts, account)
  const writer = new CaptionWriter(world.random, {
    texts,
    persona,
    picker: new TextPicker(world.random),
  })
  const topic = writer.drawTopic()
  const media = mediaFiles.flatMap((id) => world.db.vaultMedia.get(id)?.type ?? [])
  return {
    topic,
    caption: writer.write({
      local: toLocalDate(persona, world.clock.now()),
      topic,
      media,
      isPaid: price > 0,
    }).text,
  }
}

function drawMedia(world: World, account: Account): number[] {
  const media = pickRow(
    world,
    world.db.vaultMedia.in('recent', toVaultKey({ accountId: account.id })),
    ({ isReady }) => isReady,
  )
  return media === undefined ? [] : [media.id]
}

/** Converts plain text to an HTML caption. An empty text has no paragraph. */
function toCaption(text: string): string {
  return text === '' ? '' : toHtml(text)
}

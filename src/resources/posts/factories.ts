import { toPlainText } from '../../lib/text.ts'
import { dayMs, getStartOfUtcDay, toIsoTime } from '../../lib/time.ts'
import { defineFactory } from '../define-factory.ts'
import { toLocalDate } from '../../seed/local-time.ts'
import { TextPicker } from '../../seed/text-picker.ts'
import { getPersona, requireTexts } from '../../seed/texts.ts'
import { pickPhoto } from '../vault/pick-photo.ts'
import { CaptionWriter } from './caption.ts'
import { noStatistics } from './posts.ts'
import { findUnusedCursor } from './writes.ts'

/**
 * Fills in missing fields of posts. By default, a post is free and has no media. Posts with a
 * future time are scheduled, and other posts are published. A paid post gets one picture.
 */
const postFactory = defineFactory({
  name: 'post',
  table: 'posts',
  after: ['vaultMedia', 'postLabel'],
  time: 'postedAt',
  isPlannable: true,
  complete(given, context) {
    const { at, iso, world } = context
    const accountId = context.accountId(given)
    const now = world.clock.now()
    const texts = requireTexts(world)
    const persona = getPersona(texts, world.db.accounts.get(accountId))
    const writer = new CaptionWriter(context.random, {
      texts,
      persona,
      picker: new TextPicker(context.random),
    })
    const topic = given.topic ?? (given.text === undefined ? writer.drawTopic() : '')
    const {
      price = 0,
      mediaFiles = price > 0 ? pickPhoto(context, accountId) : [],
      expireDays = null,
      lookCount = 0,
    } = given
    const mediaTypes = mediaFiles.flatMap((id) => world.db.vaultMedia.get(id)?.type ?? [])
    const text =
      given.text ??
      writer.write({
        local: toLocalDate(persona, at),
        topic,
        media: mediaTypes,
        isPaid: price > 0,
      }).text
    return {
      accountId,
      status: at > now ? ('scheduled' as const) : ('published' as const),
      createdAt: toIsoTime(Math.min(at, now)),
      postedAt: iso,
      postedAtPrecise: findUnusedCursor(world, accountId, at),
      text,
      rawText: toPlainText(text),
      topic,
      mediaFiles: [...mediaFiles],
      mediaTypes,
      expiresAt: expireDays === null ? null : toIsoTime(at + expireDays * dayMs),
      ...noStatistics,
      hasStats: lookCount > 0,
      uniqueLookCount: lookCount,
      countedUntil: toIsoTime(Math.max(at, now)),
    }
  },
})

/**
 * Fills in missing fields of removed posts. Removed posts are stored because a page of the feed can
 * still start after a removed post.
 */
const removedPostFactory = defineFactory({
  name: 'removedPost',
  table: 'removedPosts',
  after: ['post'],
  time: 'removedAt',
  complete(given, context) {
    const { at, iso, random, world } = context
    const accountId = context.accountId(given)
    return {
      // An unused post id.
      id: given.id ?? world.sequences.next('posts', random),
      accountId,
      postedAtPrecise: findUnusedCursor(world, accountId, at - dayMs),
      likeCount: 0,
      tipSum: 0,
      removedAt: iso,
    }
  },
})

/** Fills in missing statistics of a post on one UTC day. By default, the statistics are 0. */
const postDayFactory = defineFactory({
  name: 'postDay',
  table: 'postDays',
  after: ['post'],
  time: 'date',
  complete(given, context) {
    const { world, at } = context
    const accountId = context.accountId(given)
    const postId =
      given.postId ??
      context.only(
        'postId',
        world.db.posts.in('published', accountId).walk(),
        `published post of the account ${accountId}`,
      )
    const date = toIsoTime(getStartOfUtcDay(at))
    return { id: `${postId}:${date}`, accountId, postId, date }
  },
})

export const postsFactories = [postFactory, removedPostFactory, postDayFactory] as const

import { toCents } from '../../../lib/money.ts'
import { findViolations } from '../../../world/invariant.ts'
import type { Invariant } from '../../../world/invariant.ts'
import type { World } from '../../world.ts'
import { countMissingViewers, sumMediaTips } from './engagement.ts'
import { sumPostPayments } from './payment-statistics.ts'
import type { Figure } from '../../../api/resource.ts'
import type { Post } from '../posts.table.ts'

export const postInvariants: readonly Invariant<World>[] = [
  { name: 'the tips and unlocks of a post match its payments', check: findMiscounted },
  { name: 'the tips of a media item match the tips on its posts', check: findMiscountedMedia },
  { name: 'the comment count of a post is the number of its comments', check: findUncounted },
  { name: 'the viewers of a post include all fans who paid or reacted', check: findUnseen },
]

function findMiscounted({ db }: World): string[] {
  return findViolations(
    db.posts.all(),
    ({ id, tipCount, tipSum, purchasedCount, purchasedSumm }) => {
      const broken: string[] = []
      const paid = sumPostPayments(db.transactions.in('byPost', id).walk())
      if (tipCount !== paid.tipCount || tipSum !== paid.tipSum)
        broken.push(
          `The post ${id} has ${tipCount} tips with a sum of ${tipSum} dollars, but its payments ` +
            `have ${paid.tipCount} with a sum of ${paid.tipSum}.`,
        )
      if (purchasedCount !== paid.purchasedCount || purchasedSumm !== paid.purchasedSumm)
        broken.push(
          `The post ${id} was unlocked ${purchasedCount} times for ${purchasedSumm} dollars, but ` +
            `its payments have ${paid.purchasedCount} for ${paid.purchasedSumm}.`,
        )
      return broken
    },
  )
}

function findMiscountedMedia(world: World): string[] {
  const sums = sumMediaTips(world)
  return findViolations(world.db.vaultMedia.all(), ({ id, tipsSumm }) => {
    const cents = sums.get(id) ?? 0
    if (toCents(tipsSumm) === cents) return []
    return [
      `The media item ${id} has tips of ${tipsSumm} dollars, but its payments have ${cents / 100}.`,
    ]
  })
}

function findUncounted({ db }: World): string[] {
  return findViolations(db.posts.all(), ({ id, commentCount }) => {
    const { size } = db.comments.in('byPost', id)
    if (commentCount === size) return []
    return [`The post ${id} has a comment count of ${commentCount}, but ${size} comments.`]
  })
}

function findUnseen(world: World): string[] {
  return findViolations(world.db.posts.all(), (post) => {
    const { id, lookCount, uniqueLookCount, likeCount } = post
    const missing = countMissingViewers(world, post)
    if (missing === 0 && likeCount <= uniqueLookCount && uniqueLookCount <= lookCount) return []
    return [
      `The post ${id} has ${lookCount} views by ${uniqueLookCount} viewers, but ${likeCount} likes, ` +
        `and ${uniqueLookCount + missing} fans who paid, commented or liked are known. Set ` +
        'lookCount and uniqueLookCount at least as high.',
    ]
  })
}

/** The views, likes and earnings of one post. All are 0 if the post does not exist. */
export const postFigures = {
  'post.views': {
    label: 'Views of the post',
    unit: 'count',
    read: createFigureReader(({ lookCount }) => lookCount),
  },
  'post.likes': {
    label: 'Likes of the post',
    unit: 'count',
    read: createFigureReader(({ likeCount }) => likeCount),
  },
  'post.revenue': {
    label: 'Tips and sales of the post',
    unit: 'dollars',
    read: createFigureReader(
      ({ tipSum, purchasedSumm }) => (toCents(tipSum) + toCents(purchasedSumm)) / 100,
    ),
  },
} satisfies Record<string, Figure<World>>

function createFigureReader(measure: (post: Post) => number): Figure<World>['read'] {
  return ({ db }, { post: id }) => {
    const post = id === undefined ? undefined : db.posts.get(id)
    return post === undefined ? 0 : measure(post)
  }
}

import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'
import type { World } from '../world.ts'
import { countKnownViewers, sumStoryTips } from './stories.ts'

export const storyInvariants: readonly Invariant<World>[] = [
  { name: 'the tips of a story match its payments', check: findMiscounted },
  { name: 'the known viewers of a story are within its count', check: findUncounted },
]

function findMiscounted({ db }: World): string[] {
  return findViolations(db.stories.all(), ({ id, tipsCount, tipsSumm }) => {
    const paid = sumStoryTips(db.transactions.in('byStory', id).walk())
    if (tipsCount === paid.tipsCount && tipsSumm === paid.tipsSumm) return []
    return [
      `The story ${id} has ${tipsCount} tips of ${tipsSumm} dollars, but its payments have ` +
        `${paid.tipsCount} of ${paid.tipsSumm}.`,
    ]
  })
}

function findUncounted(world: World): string[] {
  return findViolations(world.db.stories.all(), (story) => {
    const known = countKnownViewers(world, story)
    if (known <= story.viewersCount) return []
    return [`The story ${story.id} has ${story.viewersCount} viewers, but ${known} are known.`]
  })
}

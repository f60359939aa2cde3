import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'
import type { World } from '../world.ts'
import { sumStoryTips } from './stories.ts'

export const storyInvariants: readonly Invariant<World>[] = [
  { name: 'the tips of a story match its payments', check: findMiscounted },
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

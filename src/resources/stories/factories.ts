import { defineFactory } from '../../world/making.ts'
import { drawPicture } from '../vault/draw.ts'

/** Completes stories: a photo of the vault, if there is one, that nobody has seen. */
const storyFactory = defineFactory({
  name: 'story',
  table: 'stories',
  after: ['vaultMedia', 'fan'],
  time: 'createdAt',
  complete(given, making) {
    const accountId = making.accountId(given)
    const { viewers = [], mediaFiles = drawPicture(making, accountId) } = given
    return {
      accountId,
      createdAt: making.iso,
      mediaFiles: [...mediaFiles],
      viewersCount: viewers.length,
    }
  },
})

export const storiesFactories = [storyFactory] as const

import { defineFactory } from '../define-factory.ts'
import { pickPhoto } from '../vault/pick-photo.ts'

/**
 * Fills in missing fields of stories. By default, a story shows a photo from the vault if there is
 * one, and has no views.
 */
const storyFactory = defineFactory({
  name: 'story',
  table: 'stories',
  after: ['vaultMedia', 'fan'],
  time: 'createdAt',
  complete(given, context) {
    const accountId = context.accountId(given)
    const { viewers = [], mediaFiles = pickPhoto(context, accountId) } = given
    return {
      accountId,
      createdAt: context.iso,
      mediaFiles: [...mediaFiles],
      viewersCount: viewers.length,
    }
  },
})

export const storiesFactories = [storyFactory] as const

import { defineResource } from '../../world/define.ts'
import { seedStories } from './seed.ts'
import { storySizes } from './sizes.ts'
import { watchStoryTips } from './stories.ts'

export const stories = defineResource({
  name: 'stories',
  sizes: storySizes,
  seeds: [{ name: 'stories', after: ['vault', 'subscribers', 'payments'], account: seedStories }],
  followers: [{ name: 'tips for stories', follow: (world) => world.db.transactions.watch(watchStoryTips(world)) }],
})

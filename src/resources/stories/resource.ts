import { defineResource } from '../define.ts'
import { storyInvariants } from './invariants.ts'
import { storyRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { storySizes } from './sizes.ts'
import { deriveStoryTipFigures } from './stories.ts'

export const stories = defineResource({
  name: 'stories',
  routes: storyRoutes,
  schemas: [schemas],
  examples: ({ own }) => ({ address: { story_id: own('stories').id } }),
  sizes: storySizes,
  completeRecords: deriveStoryTipFigures,
  invariants: storyInvariants,
})

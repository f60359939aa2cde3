import { defineResource } from '../define.ts'
import { storyInvariants, deriveStoryTipFigures } from './stories.ts'
import * as routes from './routes.ts'
import { storySizes } from './stories.table.ts'

export const stories = defineResource({
  name: 'stories',
  routes: routes.storyRoutes,
  schemas: [routes],
  examples: ({ own }) => ({ address: { story_id: own('stories').id } }),
  sizes: storySizes,
  completeRecords: deriveStoryTipFigures,
  invariants: storyInvariants,
})

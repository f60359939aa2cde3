import { toIdList } from '../../api/resource.ts'
import { defineResource } from '../define.ts'
import { findExampleLinkIds } from '../links/view.ts'
import { trialLinkRoutes } from './routes.ts'
import { trialLinkSizes } from './trial-links.table.ts'

export const trialLinks = defineResource({
  name: 'trial-links',
  groups: {
    'Trial Links': {
      about: 'Links that give a free trial.',
      examples: ({ own }) => {
        const address = findExampleLinkIds(own('linkShares', { kind: 'trial' }), own('trialLinks'))
        return { address, body: { link_ids: toIdList(address.link_id) } }
      },
    },
  },
  routes: trialLinkRoutes,
  examples: ({ own }) => ({
    address: {
      trial_link_id: findExampleLinkIds(own('linkShares', { kind: 'trial' }), own('trialLinks'))
        .link_id,
    },
  }),
  sizes: trialLinkSizes,
})

import { toIdList } from '../../api/resource.ts'
import { defineResource } from '../define.ts'
import { findExampleLinkIds } from '../links/view.ts'
import { trackingLinkRoutes } from './routes.ts'
import { trackingLinkSizes } from './tracking-links.table.ts'

export const trackingLinks = defineResource({
  name: 'tracking-links',
  groups: {
    'Tracking Links': {
      about: 'Campaign links and the subscribers who joined through them.',
      examples: ({ own }) => ({
        address: findExampleLinkIds(own('linkShares', { kind: 'tracking' }), own('trackingLinks')),
      }),
    },
  },
  routes: trackingLinkRoutes,
  examples: ({ own }) => {
    const { link_id: id } = findExampleLinkIds(
      own('linkShares', { kind: 'tracking' }),
      own('trackingLinks'),
    )
    return { address: { tracking_link_id: id }, body: { link_ids: toIdList(id) } }
  },
  sizes: trackingLinkSizes,
})

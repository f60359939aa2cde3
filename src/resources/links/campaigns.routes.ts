import { copyRoute } from '../../api/route.ts'
import { listTrackingLinks } from './lists.routes.ts'

const path = '/v1/:account_id/campaigns'

/** Alias of the list of tracking links. */
const listCampaigns = copyRoute(listTrackingLinks, {
  path,
  id: `${listTrackingLinks.method} ${path}`,
  permission: 'api_campaigns_list',
  evidence: 'permission group by analogy',
  summary: "List campaigns (tracking links in the platform's own format)",
  rules: [
    ...(listTrackingLinks.rules ?? []),
    'Returns the same list as GET tracking-links, but requires a different permission.',
  ],
})

export const campaignRoutes = [listCampaigns]

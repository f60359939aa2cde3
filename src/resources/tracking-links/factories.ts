import { defineFactory } from '../define-factory.ts'
import { createTextSources } from '../../seed/texts.ts'
import { pickUnusedCode, toTrackingUrl } from './tracking-links.ts'

/** Fills in missing fields of tracking links. By default, all metrics are 0. */
const trackingLinkFactory = defineFactory({
  name: 'trackingLink',
  table: 'trackingLinks',
  after: ['account', 'tag'],
  time: 'createdAt',
  complete(given, context) {
    const { world, random } = context
    const accountId = context.accountId(given)
    const campaignCode = given.campaignCode ?? pickUnusedCode(world, { id: accountId }, random)
    return {
      kind: 'tracking' as const,
      accountId,
      campaignName: `${random.pick(createTextSources(context).texts.names.nouns)} campaign`,
      campaignCode,
      campaignUrl: toTrackingUrl(
        { username: world.db.accounts.get(accountId)?.username ?? '' },
        campaignCode,
      ),
      createdAt: context.iso,
    }
  },
})

export const trackingLinksFactories = [trackingLinkFactory] as const

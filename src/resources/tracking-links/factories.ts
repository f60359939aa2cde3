import { defineFactory } from '../../world/making.ts'
import { wordsFor } from '../../world/texts.ts'
import { freeCode, trackingUrl } from './tracking-links.ts'

/** Completes tracking links: with every metric at zero. */
const trackingLinkFactory = defineFactory({
  name: 'trackingLink',
  table: 'trackingLinks',
  after: ['account', 'tag'],
  time: 'createdAt',
  complete(given, making) {
    const { world, random } = making
    const accountId = making.accountId(given)
    const campaignCode = given.campaignCode ?? freeCode(world, { id: accountId }, random)
    return {
      kind: 'tracking' as const,
      accountId,
      campaignName: `${random.pick(wordsFor(making).texts.names.nouns)} campaign`,
      campaignCode,
      campaignUrl: trackingUrl(
        { username: world.db.accounts.get(accountId)?.username ?? '' },
        campaignCode,
      ),
      createdAt: making.iso,
    }
  },
})

export const trackingLinksFactories = [trackingLinkFactory] as const

import { toIso } from '../../engine/time.ts'
import { append, daysAgo, historyDays } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import type { TrackingLinkSizes } from './sizes.ts'
import { trackingUrl } from './tracking-links.ts'

/** Seeds the tracking links of an account. All are older than the claims of its fans. */
export function seedLinks(seeding: Seeding, { account, sizes }: AccountPlan<TrackingLinkSizes>): void {
  const { random, rows } = seeding
  const tags = rows.tags.filter((tag) => tag.organisation === account.organisation)
  const links = sizes.trackingLinks.map(({ name, claimers, deleted }, index) => {
    const code = random.integer(1000, 99_999)
    return {
      id: seeding.nextId('trackingLinks'),
      kind: 'tracking' as const,
      accountId: account.id,
      campaignName: name,
      campaignCode: code,
      campaignUrl: trackingUrl(account, code),
      countTransitions: claimers * random.integer(6, 14) + random.integer(0, 30),
      createdAt: toIso(daysAgo(seeding, historyDays + 20 - index)),
      endDate: deleted ? toIso(daysAgo(seeding, 40)) : null,
      customName: null,
      note: null,
      customSourceUrl: null,
      promoCost: null,
      isHidden: false,
      tags: tags.filter(() => random.chance(0.3)).map(({ id }) => id),
    }
  })
  append(rows.trackingLinks, links)
}

import { toIso } from '../../lib/time.ts'
import { givenName } from '../../seed/given-names.ts'
import { append, daysAgo, historyDays } from '../../seed/seeding.ts'
import type { AccountPlan, Seeding } from '../../seed/seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import type { TrackingLinkSizes } from './sizes.ts'
import { trackingUrl } from './tracking-links.ts'

/** Over how many days links were made. */
const linkDays = 540

type Plan = AccountPlan<TrackingLinkSizes & AccountSizes>

/**
 * Seeds the tracking links of an account, which were made one after the other over its first year
 * and a half.
 */
export function seedLinks(seeding: Seeding, { account, sizes, persona }: Plan): void {
  const { random, rows, texts } = seeding
  const tags = seeding.common.tags.filter((tag) => tag.organisation === account.organisation)
  // The claims of equal times are as old as the newest of such links.
  const apart = sizes.equalTimes
    ? 1
    : Math.floor(linkDays / Math.max(1, sizes.trackingLinks.length))
  // At any time of the day.
  const hours = seeding.branch('hours').random
  const drawPart = () => (sizes.equalTimes ? 0 : hours.next())
  const naming = {
    texts,
    isEdge: sizes.texts === 'edge',
    own: persona.names.campaigns,
    numbered: texts.links.numbered,
  }
  const links = sizes.trackingLinks.map(({ name, claimers, deleted }, index) => {
    const age = historyDays + 20 - index * apart - (sizes.equalTimes ? 0 : random.integer(0, apart))
    const code = random.integer(1000, 99_999)
    return {
      id: seeding.nextId('trackingLinks'),
      kind: 'tracking' as const,
      accountId: account.id,
      campaignName: name ?? givenName(index, naming),
      campaignCode: code,
      campaignUrl: trackingUrl(account, code),
      countTransitions: claimers * random.integer(6, 14) + random.integer(0, 30),
      createdAt: toIso(Math.floor(daysAgo(seeding, age + drawPart()))),
      endDate: deleted ? toIso(Math.floor(daysAgo(seeding, 40 + drawPart()))) : null,
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

import { dayMs, toIsoTime } from '../../lib/time.ts'
import { chooseName } from '../../seed/given-names.ts'
import { delayUntilAwake } from '../../seed/local-time.ts'
import { appendRows, getTimeDaysAgo } from '../seeding.ts'
import type { AccountPlan, SeedContext } from '../seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import { pickLinkTags } from '../links/links.ts'
import type { TrackingLinkSizes } from './tracking-links.table.ts'
import { toTrackingUrl, pickUnusedCode } from './tracking-links.ts'
import { defineFactory } from '../define.ts'
import { createTextSources } from '../../seed/texts.ts'

/**
 * Links are created during this first part of an account's history (a fraction). The first links
 * are older than the first fans.
 */
const linkShare = 0.75

/** Time since a link was deleted, as a fraction of the time since it was created. */
const endedShare = 0.2

type Plan = AccountPlan<TrackingLinkSizes & AccountSizes>

/**
 * Seeds the tracking links of an account. The links were created one after another during the first
 * three quarters of the account's history.
 */
export function seedTrackingLinks(
  seeding: SeedContext,
  { account, sizes, persona, since }: Plan,
): void {
  const { random, rows, texts, now } = seeding
  const historyDays = Math.floor((now - since) / dayMs)
  // If the scenario sets `equalTimes`, all claims have the same time. So all links must be older
  // than this time.
  const apart = sizes.equalTimes
    ? 1
    : Math.floor((historyDays * linkShare) / Math.max(1, sizes.trackingLinks.length))
  // A random time of day.
  const hours = seeding.branch('hours').random
  const drawPart = () => (sizes.equalTimes ? 0 : hours.next())
  const naming = {
    texts,
    isEdge: sizes.texts === 'edge',
    own: persona.names.campaigns,
    numbered: texts.links.numbered,
  }
  const links = sizes.trackingLinks.map(({ name, claimers, deleted, promoCost }, index) => {
    const age = historyDays - 1 - index * apart - (sizes.equalTimes ? 0 : random.next() * apart)
    const code = random.integer(1000, 99_999)
    const campaignName = name ?? chooseName(index, naming)
    const drawnAt = Math.floor(getTimeDaysAgo(seeding, age + drawPart()))
    const createdAt = toIsoTime(sizes.equalTimes ? drawnAt : delayUntilAwake(persona, drawnAt))
    return {
      id: seeding.nextId('trackingLinks'),
      kind: 'tracking' as const,
      accountId: account.id,
      campaignName,
      campaignCode: code,
      campaignUrl: toTrackingUrl(account, code),
      // Links with many clicks have claimers.
      countTransitions:
        claimers === 0
          ? random.integer(3, 36)
          : claimers * random.integer(22, 85) + random.integer(3, 60),
      createdAt,
      endDate: deleted
        ? toIsoTime(Math.floor(getTimeDaysAgo(seeding, age * endedShare + drawPart())))
        : null,
      customName: null,
      note: null,
      customSourceUrl: null,
      promoCost: null,
      isHidden: false,
      tags: pickLinkTags(seeding, account, { name: campaignName, promoCost, createdAt }),
    }
  })
  appendRows(rows.trackingLinks, links)
}

/** Fills in missing fields of tracking links. By default, all metrics are 0. */
export const trackingLinkFactory = defineFactory({
  name: 'trackingLink',
  table: 'trackingLinks',
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

import { compareIds } from '../../data/rows.ts'
import type { Random } from '../../world/random.ts'
import { dayMs, parseIso, minuteMs, toIsoTime } from '../../lib/time.ts'
import { chooseName } from '../../seed/given-names.ts'
import { getTimeDaysAgo, shuffle } from '../seeding.ts'
import type { AccountPlan, SeedContext } from '../seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import { pickLinkTags } from '../links/links.ts'
import { emptyServiceFields } from '../links/links.table.ts'
import type { Link } from '../links/links.ts'
import { applyIntroductoryPrice, endAfterIntroductoryPeriod } from '../subscribers/subscriptions.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { TrackingLinkSizes } from '../tracking-links/tracking-links.table.ts'
import type { TrialData, TrialLinkSizes, TrialLink } from './trial-links.table.ts'
import { toTrialUrl } from './trial-links.ts'
import { defineFactory } from '../define.ts'
import { createTextSources } from '../../seed/texts.ts'

type Plan = AccountPlan<TrialLinkSizes & TrackingLinkSizes & AccountSizes>

/**
 * Seeds the trial links of an account, starting with finished links. Also seeds the promotion costs
 * and public pages of both kinds of links. The claimers of a trial link subscribed one after
 * another, so that the claims are close in time.
 */
export function seedTrialLinks(seeding: SeedContext, { account, sizes, persona }: Plan): void {
  const { rows, texts } = seeding
  const pool = sizes.trialLinks.length === 0 ? [] : listFansWithoutLink(seeding, account.id)
  const naming = {
    texts,
    isEdge: sizes.texts === 'edge',
    own: persona.names.trials,
    numbered: texts.links.numbered,
  }
  const named = sizes.trialLinks.map((trial, index) => ({
    ...trial,
    name: trial.name ?? chooseName(index, naming),
  }))
  const trials = [
    ...named.filter(({ ended }) => ended !== undefined),
    ...named.filter(({ ended }) => ended === undefined),
  ]
  const gap = Math.floor(
    (pool.length - trials.reduce((sum, { claimers }) => sum + claimers, 0)) /
      Math.max(1, trials.length),
  )
  let place = 0
  const leaving = seeding.branch('leaving').random
  for (const trial of trials) {
    const window = pool.slice(place, place + gap + trial.claimers)
    place += gap
    const claims = drawClaims(leaving, window, trial)
    const near = claims[0] ?? pool[place]
    const link = createTrial(seeding, { account }, { trial, claims, near })
    const offer = { days: trial.days, price: 0, now: seeding.now }
    for (const claim of claims)
      Object.assign(
        claim,
        { trialLinkId: link.id },
        endAfterIntroductoryPeriod(claim, offer) ?? applyIntroductoryPrice(claim, offer),
      )
    rows.trialLinks.push(link)
    setPromotionCosts(seeding, link, trial)
    place += trial.claimers
  }
  const campaigns = rows.trackingLinks.filter((link) => link.accountId === account.id)
  for (const [index, link] of campaigns.entries())
    setPromotionCosts(seeding, link, sizes.trackingLinks[index])
}

/** Fraction of claimers who leave at the end of the trial, if there are enough suitable fans. */
const leavingShare = { min: 0.5, max: 0.8 }

/**
 * Picks the claimers of a trial link from the fans who subscribed around the same time, oldest
 * first. Some of these fans left within their first period.
 */
function drawClaims(
  random: Random,
  window: readonly Subscription[],
  { days, claimers }: TrialData,
): Subscription[] {
  const { min, max } = leavingShare
  const wanted = Math.round(claimers * (min + (max - min) * random.next()))
  const leavers = window.filter(
    (fan) => endAfterIntroductoryPeriod(fan, { days, price: 0 }) !== undefined,
  )
  const drawn = new Set(leavers.slice(leavers.length - wanted))
  for (let last = window.length - 1; last >= 0 && drawn.size < claimers; last -= 1) {
    const fan = window[last]
    if (fan !== undefined && !leavers.includes(fan)) drawn.add(fan)
  }
  for (const fan of leavers.toReversed()) if (drawn.size < claimers) drawn.add(fan)
  return window.filter((fan) => drawn.has(fan))
}

/**
 * A trial link to seed: the subscriptions of its claimers, oldest first, and the subscription of a
 * fan who subscribed around the time when the link was created.
 */
interface PlannedTrial {
  trial: TrialData & { name: string }
  claims: readonly Subscription[]
  near: Subscription | undefined
}

function createTrial(
  seeding: SeedContext,
  { account }: Pick<Plan, 'account'>,
  { trial, claims, near }: PlannedTrial,
): TrialLink {
  const { random, now } = seeding
  const first = near === undefined ? getTimeDaysAgo(seeding, 60) : parseIso(near.subscribedAt)
  const last = claims.length === 0 ? first : parseIso(claims.at(-1)?.subscribedAt ?? '')
  const later = toIsoTime(Math.min(last + random.integer(dayMs, 10 * dayMs), now - dayMs / 2))
  const endedAt = trial.ended === 'claimed' ? toIsoTime(last) : later
  const finishedAt = trial.ended === undefined ? null : endedAt
  const runsOut =
    trial.ended === undefined && random.chance(0.5)
      ? toIsoTime(now + random.integer(5, 60) * dayMs + random.integer(0, dayMs))
      : null
  const createdAt = toIsoTime(first - random.integer(dayMs, 4 * dayMs))
  return {
    id: seeding.nextId('trialLinks'),
    kind: 'trial',
    accountId: account.id,
    trialLinkName: trial.name,
    url: toTrialUrl(account, random.uuid()),
    subscribeDays: trial.days,
    subscribeCounts: trial.ended === 'claimed' ? claims.length : trial.limit,
    clicksCounts: claims.length * random.integer(14, 58) + random.integer(2, 36),
    createdAt,
    expiredAt: trial.ended === 'expired' ? finishedAt : runsOut,
    finishedAt,
    ...emptyServiceFields,
    isHidden: trial.hidden,
    tags: pickLinkTags(seeding, account, { ...trial, createdAt }),
  }
}

/** Returns the subscriptions without a tracking link, oldest first. */
function listFansWithoutLink({ rows }: SeedContext, accountId: number): Subscription[] {
  return rows.subscriptions
    .filter((row) => row.accountId === accountId && row.trackingLinkId === null)
    .toSorted((a, b) => compareIds(a.subscribedAt, b.subscribedAt) || a.id - b.id)
}

/** Accounts with at most this many public pages use different labels. */
const sharesPerAccount = 7

/**
 * Sets the promotion costs and the public page of a link. The pages of every second link have
 * expired.
 */
function setPromotionCosts(
  seeding: SeedContext,
  link: Link,
  { promoCost, shares }: Pick<TrialData, 'promoCost' | 'shares'> = { promoCost: null, shares: 0 },
): void {
  const { random, rows, texts, now } = seeding
  const labels = shuffle(seeding.alike('share labels').random, texts.links.shareLabels)
  const times = seeding.branch('shares').random
  const sharedAfter = (at: string) =>
    Math.min(parseIso(at) + times.integer(minuteMs, dayMs), now - minuteMs)
  Object.assign(link, { promoCost })
  for (let index = 0; index < shares; index += 1) {
    const createdAt = toIsoTime(
      Math.max(
        getTimeDaysAgo(seeding, random.integer(20, 90)) - random.integer(0, dayMs),
        sharedAfter(link.createdAt),
      ),
    )
    const expiresAt =
      index % 2 === 1
        ? toIsoTime(
            Math.max(
              getTimeDaysAgo(seeding, random.integer(1, 19)) - random.integer(0, dayMs),
              sharedAfter(createdAt),
            ),
          )
        : null
    const place = seeding.index * sharesPerAccount + rows.linkShares.length
    const label = labels[place % labels.length] ?? null
    rows.linkShares.push({
      id: random.uuid(),
      number: rows.linkShares.length + 1,
      accountId: link.accountId,
      kind: link.kind,
      linkId: link.id,
      label,
      expiresAt,
      createdAt,
      updatedAt: createdAt,
    })
  }
}

/**
 * Fills in missing fields of trial links. By default, a trial lasts one week and its link has no
 * claim limit. Expired links are also finished.
 */
export const trialLinkFactory = defineFactory({
  name: 'trialLink',
  table: 'trialLinks',
  time: 'createdAt',
  complete(given, context) {
    const { world, random } = context
    const accountId = context.accountId(given)
    const { expiredAt = null } = given
    const isOver = expiredAt !== null && parseIso(expiredAt) <= world.clock.now()
    return {
      kind: 'trial' as const,
      accountId,
      trialLinkName: `${random.pick(createTextSources(context).texts.names.nouns)} trial`,
      url: toTrialUrl(
        { username: world.db.accounts.get(accountId)?.username ?? '' },
        random.uuid(),
      ),
      subscribeDays: 7,
      createdAt: context.iso,
      finishedAt: isOver ? expiredAt : null,
    }
  },
})

import { dayMs, fromIso, toIso } from '../../engine/time.ts'
import { append, daysAgo, momentBetween } from '../../world/sowing.ts'
import type { Field, Sower } from '../../world/sowing.ts'
import { latestRenewal } from '../subscribers/subscriptions.ts'
import type { TrackingLink } from '../tracking-links/tracking-links.table.ts'
import type { Fan, Subscription } from './fans.table.ts'
import { drawFan } from './new-fan.ts'

const monthDays = 30
const earliestDays = 700

/** Sows the tracking links of an account, all older than its fans' claims. */
export function sowLinks(sower: Sower, { account, data }: Field): TrackingLink[] {
  const { random, rows } = sower
  const tags = rows.tags.filter((tag) => tag.organisation === account.organisation)
  const links = data.trackingLinks.map(({ name, claimers, deleted }, index) => {
    const code = random.integer(1000, 99_999)
    return {
      id: sower.nextId('trackingLinks'),
      kind: 'tracking' as const,
      accountId: account.id,
      campaignName: name,
      campaignCode: code,
      campaignUrl: `https://platform.example/${account.username}/c${code}`,
      countTransitions: claimers * random.integer(6, 14) + random.integer(0, 30),
      createdAt: toIso(daysAgo(sower, earliestDays + 20 - index)),
      endDate: deleted ? toIso(daysAgo(sower, 40)) : null,
      customName: null,
      note: null,
      customSourceUrl: null,
      promoCost: null,
      isHidden: false,
      tags: tags.filter(() => random.chance(0.3)).map(({ id }) => id),
    }
  })
  append(rows.trackingLinks, links)
  return links
}

/** Sows the fans of an account: some known from the organisation's other accounts, most new, some through links. Newest last. */
export function sowSubscriptions(sower: Sower, field: Field, links: readonly TrackingLink[]): Subscription[] {
  const { random, rows } = sower
  const { account, data } = field
  const known = fansOfOthers(sower, field)
  const linkOfPlace = links.flatMap((link, index) => Array.from({ length: data.trackingLinks[index]?.claimers ?? 0 }, () => link))
  const subscriptions = Array.from({ length: data.fans }, (_, place) => {
    const fan = place % 11 === 7 ? (known.pop() ?? createFan(sower)) : createFan(sower)
    const link = linkOfPlace[place]
    const latest = link?.endDate == null ? daysAgo(sower, 2) : daysAgo(sower, 45)
    const subscribedAt = data.equalTimes && link !== undefined ? daysAgo(sower, 100) : momentBetween(sower, daysAgo(sower, earliestDays), latest)
    const months = 1 + Math.floor(random.next() * random.next() * ((sower.now - subscribedAt) / (monthDays * dayMs)))
    // Who came within the last month cannot have left yet.
    const isActive = random.chance(0.6) || subscribedAt + monthDays * dayMs >= sower.now
    const wholeMonths = Math.floor((sower.now - subscribedAt) / (monthDays * dayMs))
    const expiredAt = isActive ? nextRenewal(subscribedAt, sower.now) : subscribedAt + Math.min(months, wholeMonths) * monthDays * dayMs
    const times = { subscribedAt: toIso(subscribedAt), expiredAt: toIso(Math.max(expiredAt, subscribedAt + dayMs)) }
    return {
      id: sower.nextId('subscriptions'),
      accountId: account.id,
      fanId: fan.id,
      price: account.subscribePrice,
      ...times,
      notice: random.chance(0.1) ? random.pick(sower.texts.fans.notices) : '',
      displayName: random.chance(0.08) ? random.pick(sower.names.first) : '',
      trackingLinkId: link?.id ?? null,
      trialLinkId: null,
      ...toHistory({ ...times, price: account.subscribePrice }, place),
      isExpired: fromIso(times.expiredAt) <= sower.now,
      isAutoprolong: isActive && place % 3 !== 1,
      isBlocked: false,
      isRestricted: false,
      lastActivity: fan.lastSeen,
    }
  })
  append(rows.subscriptions, subscriptions)
  return subscriptions
}

/** One span without a gap; but of those who came for eight months or more, one in twelve alone stayed all the time: most were away in between. */
function toHistory({ subscribedAt, expiredAt, price }: Pick<Subscription, 'subscribedAt' | 'expiredAt' | 'price'>, place: number): Pick<Subscription, 'spans' | 'renewedAt'> {
  const [start, end, month] = [fromIso(subscribedAt), fromIso(expiredAt), monthDays * dayMs]
  const wasAway = place % 12 !== 4 && end - start >= 8 * month
  const [before, since] = [1 + (place % 2), 1 + (Math.floor(place / 2) % 6)]
  const spans = wasAway
    ? [{ from: subscribedAt, until: toIso(start + before * month), price }, { from: toIso(end - since * month), until: expiredAt, price }]
    : [{ from: subscribedAt, until: expiredAt, price }]
  return { spans, renewedAt: latestRenewal(spans) }
}

/** The end of the month of a subscription that is running now. Epoch ms. */
export function nextRenewal(subscribedAt: number, now: number): number {
  const period = monthDays * dayMs
  return subscribedAt + (Math.floor((now - subscribedAt) / period) + 1) * period
}

/** Sees to it that nobody was seen last before something that they did: subscribing, paying by hand, writing, commenting. Comes last of all. */
export function sowLastSeen({ rows }: Sower): void {
  const latest = new Map<number, string>()
  const see = (fanId: number, at: string | null) => {
    if (at !== null && at > (latest.get(fanId) ?? '')) latest.set(fanId, at)
  }
  for (const { fanId, subscribedAt } of rows.subscriptions) see(fanId, subscribedAt)
  for (const { fanId, category, transaction_created_at: at } of rows.transactions) if (category !== 'recurring_subscription') see(fanId, at)
  for (const { fanId, isFromFan, createdAt } of rows.messages) if (isFromFan) see(fanId, createdAt)
  for (const { fanId, postedAt } of rows.comments) see(fanId, postedAt)
  const lastSeen = new Map<number, string>()
  for (const fan of rows.fans) {
    const at = latest.get(fan.id)
    if (at !== undefined && at > fan.lastSeen) Object.assign(fan, { lastSeen: at })
    lastSeen.set(fan.id, fan.lastSeen)
  }
  for (const subscription of rows.subscriptions) Object.assign(subscription, { lastActivity: lastSeen.get(subscription.fanId) })
}

/** Fans of the organisation's accounts sown before, in no order: who buys on two accounts comes from here. */
function fansOfOthers({ rows, random }: Sower, { account }: Field): Fan[] {
  const accounts = new Set(rows.accounts.filter(({ organisation, id }) => organisation === account.organisation && id !== account.id).map(({ id }) => id))
  const fans = new Map(rows.fans.map((fan) => [fan.id, fan]))
  const ids = new Set(rows.subscriptions.filter(({ accountId }) => accounts.has(accountId)).map(({ fanId }) => fanId))
  return [...ids].flatMap((id) => fans.get(id) ?? []).filter(() => random.chance(0.5))
}

function createFan(sower: Sower): Fan {
  const { random, rows } = sower
  const fan = drawFan(sower, {
    id: () => sower.nextId('fans'),
    lastSeen: () => toIso(momentBetween(sower, daysAgo(sower, random.pick([1, 3, 30, 200])), sower.now - 60_000)),
  })
  rows.fans.push(fan)
  return fan
}

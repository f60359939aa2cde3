import { dayMs, toIso } from '../../schemas/time.ts'
import type { Fan, Subscription } from '../fans.ts'
import type { TrackingLink } from '../links.ts'
import { append, daysAgo, momentBetween } from './sowing.ts'
import type { Field, Sower } from './sowing.ts'

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
    const isActive = random.chance(0.6)
    const expiredAt = isActive ? nextRenewal(subscribedAt, sower.now) : Math.min(subscribedAt + months * monthDays * dayMs, sower.now - dayMs / 2)
    return {
      id: sower.nextId('subscriptions'),
      accountId: account.id,
      fanId: fan.id,
      price: account.subscribePrice,
      subscribedAt: toIso(subscribedAt),
      expiredAt: toIso(Math.max(expiredAt, subscribedAt + dayMs)),
      notice: random.chance(0.1) ? random.pick(['VIP', 'likes long videos', 'birthday in May', 'asks about merch']) : '',
      displayName: random.chance(0.08) ? random.pick(sower.names.first) : '',
      trackingLinkId: link?.id ?? null,
    }
  })
  append(rows.subscriptions, subscriptions)
  return subscriptions
}

function nextRenewal(subscribedAt: number, now: number): number {
  const period = monthDays * dayMs
  return subscribedAt + (Math.floor((now - subscribedAt) / period) + 1) * period
}

/** Fans of the organisation's accounts sown before, in no order: who buys on two accounts comes from here. */
function fansOfOthers({ rows, random }: Sower, { account }: Field): Fan[] {
  const accounts = new Set(rows.accounts.filter(({ organisation, id }) => organisation === account.organisation && id !== account.id).map(({ id }) => id))
  const fans = new Map(rows.fans.map((fan) => [fan.id, fan]))
  const ids = new Set(rows.subscriptions.filter(({ accountId }) => accounts.has(accountId)).map(({ fanId }) => fanId))
  return [...ids].flatMap((id) => fans.get(id) ?? []).filter(() => random.chance(0.5))
}

function createFan(sower: Sower): Fan {
  const { random, names, rows } = sower
  const firstName = random.pick(names.first)
  const id = sower.nextId('fans')
  const fan = {
    id,
    name: random.chance(0.7) ? `${firstName} ${random.pick(names.last)}` : firstName,
    username: random.chance(0.2) ? `u${id}` : `${firstName}${random.pick(['_', '.', ''])}${random.pick(names.nouns)}${random.integer(1, 99)}`.toLowerCase().replace(/[^a-z\d._]/g, ''),
    avatar: `https://public.platform.example/files/${id}/avatar.jpg`,
    subscribePrice: random.chance(0.12) ? random.pick([4.99, 9.99, 14.99]) : 0,
    lastSeen: toIso(momentBetween(sower, daysAgo(sower, random.pick([1, 3, 30, 200])), sower.now - 60_000)),
  }
  rows.fans.push(fan)
  return fan
}

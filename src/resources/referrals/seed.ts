import { pictureAddress } from '../../world/public-files.ts'
import { dayMs, toIso } from '../../lib/time.ts'
import { append, daysAgo, historyDays } from '../../seed/seeding.ts'
import type { AccountPlan, Seeding } from '../../seed/seeding.ts'
import { toPayout, monthMs } from '../payouts/draw.ts'
import type { ReferralSizes } from './sizes.ts'

/** Seeds the referrals of an account, and the monthly payouts of what they brought. */
export function seedReferrals(
  seeding: Seeding,
  { account, sizes }: AccountPlan<ReferralSizes>,
): void {
  const { random, rows, texts } = seeding
  const { creators } = texts.prices
  const months = Math.floor(historyDays / 30)
  // The last month ended a day ago, so its payout is pending.
  const start = daysAgo(seeding, months * 30 + 1)
  const hours = seeding.branch('hours').random
  const owedByMonth = Array.from({ length: months }, () => 0)
  const referrals = Array.from({ length: sizes.referrals }, (_, place) => {
    const first = random.pick(texts.names.first)
    const id = seeding.nextId('referrals')
    const createdAt = Math.floor(
      start + ((place + 0.5) / sizes.referrals) * (seeding.now - start - 2 * dayMs),
    )
    let cents = 0
    for (let month = Math.floor((createdAt - start) / monthMs) + 1; month < months; month += 1) {
      const share = random.chance(0.7) ? random.integer(200, 4_000) : 0
      owedByMonth[month] = (owedByMonth[month] ?? 0) + share
      cents += share
    }
    const username = `${first}_${random.pick(texts.names.nouns)}`
      .toLowerCase()
      .replace(/[^a-z\d_]/g, '')
    const userId = seeding.nextId('fans')
    rows.fans.push({
      id: userId,
      name: first,
      username: `${username}${userId % 1000}`,
      avatar: pictureAddress(userId),
      subscribePrice: creators[place % creators.length] ?? 0,
      lastSeen: toIso(seeding.now - ((place % 3) + 1) * dayMs - hours.integer(0, dayMs)),
    })
    return {
      id,
      accountId: account.id,
      userId,
      username: `${username}${userId % 1000}`,
      name: first,
      createdAt: toIso(createdAt),
      earned: cents / 100,
    }
  })
  append(rows.referrals, referrals)
  for (const [month, cents] of owedByMonth.entries()) {
    if (cents === 0) continue
    const at = Math.min(start + (month + 1) * monthMs + 9 * 3_600_000, seeding.now - dayMs)
    if (random.chance(0.05))
      rows.referralPayouts.push(
        toPayout(seeding, 'referralPayouts', {
          accountId: account.id,
          at: at - dayMs,
          cents,
          rejectReason: random.pick(texts.payouts.rejectReasons),
        }),
      )
    rows.referralPayouts.push(
      toPayout(seeding, 'referralPayouts', {
        accountId: account.id,
        at,
        cents,
        rejectReason: null,
      }),
    )
  }
}

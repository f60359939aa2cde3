import { toPictureUrl } from '../../world/public-files.ts'
import { dayMs, hourMs, toIsoTime } from '../../lib/time.ts'
import { appendRows } from '../seeding.ts'
import type { AccountPlan, SeedContext } from '../seeding.ts'
import { pickUsername, findUnusedUsername } from '../fans/names.ts'
import { createSeededPayout, monthMs } from '../payouts/payouts.ts'
import type { ReferralSizes } from './referrals.table.ts'
import { SandboxError } from '../../errors.ts'
import { defineFactory } from '../define.ts'

/** Seeds the referrals of an account, and the monthly payouts for these referrals. */
export function seedReferrals(
  seeding: SeedContext,
  { account, sizes, since }: AccountPlan<ReferralSizes>,
): void {
  const { random, rows, texts } = seeding
  const { creators } = texts.prices
  const hours = seeding.branch('hours').random
  // The last month ended a day ago, so the payout for it is pending.
  const lastEnd = seeding.now - dayMs - hours.integer(2, 30) * hourMs
  const months = Math.max(1, Math.floor((lastEnd - since) / monthMs))
  const start = lastEnd - months * monthMs
  const owedByMonth = Array.from({ length: months }, () => 0)
  const referrals = Array.from({ length: sizes.referrals }, (_, place) => {
    const { person } = seeding.fakers.at('en', random)
    const [first, last] = [person.firstName(), person.lastName()]
    const id = seeding.nextId('referrals')
    const createdAt = Math.floor(
      start + ((place + hours.next()) / sizes.referrals) * (seeding.now - start - 2 * dayMs),
    )
    let cents = 0
    for (let month = Math.floor((createdAt - start) / monthMs) + 1; month < months; month += 1) {
      const share = random.chance(0.7) ? random.integer(200, 4_000) : 0
      owedByMonth[month] = (owedByMonth[month] ?? 0) + share
      cents += share
    }
    const userId = seeding.nextUserId(createdAt - random.integer(1, 40) * dayMs)
    const username = findUnusedUsername(
      pickUsername(random, { id: userId, first, last, nickname: first, called: first }),
      seeding.reserveUsername,
    )
    rows.fans.push({
      id: userId,
      name: first,
      username,
      avatar: toPictureUrl(userId),
      subscribePrice: creators[place % creators.length] ?? 0,
      lastSeen: toIsoTime(seeding.now - ((place % 3) + 1) * dayMs - hours.integer(0, dayMs)),
    })
    return {
      id,
      accountId: account.id,
      userId,
      username,
      name: first,
      createdAt: toIsoTime(createdAt),
      earned: cents / 100,
    }
  })
  appendRows(rows.referrals, referrals)
  for (const [month, cents] of owedByMonth.entries()) {
    if (cents === 0) continue
    const at = Math.min(
      start + (month + 1) * monthMs + hours.integer(1, 9 * hourMs),
      seeding.now - dayMs,
    )
    if (random.chance(0.05))
      rows.referralPayouts.push(
        createSeededPayout(seeding, 'referralPayouts', {
          accountId: account.id,
          at: at - hours.integer(9, 60) * hourMs - hours.integer(0, hourMs),
          cents,
          rejectReason: random.pick(texts.payouts.rejectReasons),
        }),
      )
    rows.referralPayouts.push(
      createSeededPayout(seeding, 'referralPayouts', {
        accountId: account.id,
        at,
        cents,
        rejectReason: null,
      }),
    )
  }
}

/** Fills in missing fields of referrals. By default, a referral has no earnings. */
export const referralFactory = defineFactory({
  name: 'referral',
  table: 'referrals',
  time: 'createdAt',
  complete(given, context) {
    const { fans, accounts } = context.world.db
    const userId = given.userId ?? context.only('userId', fans.slice(0, 11), 'user')
    const user = fans.get(userId) ?? accounts.get(userId)
    if (user === undefined)
      throw new SandboxError(
        `Failed to make the referral (userId: ${userId}): there is no user with that id. Choose ` +
          'another id.',
      )
    return {
      accountId: context.accountId(given),
      userId,
      username: user.username,
      name: user.name,
      createdAt: context.iso,
      earned: 0,
    }
  },
})

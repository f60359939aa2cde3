import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'
import { toCents } from '../../lib/money.ts'
import type { World } from '../world.ts'
import { spendParts } from '../payments/transactions.ts'
import { earningKinds } from './earnings.table.ts'
import { sumEarnings } from './earnings.ts'
import { kindsOfType, computeEarningStatistics } from './list.ts'
import { toCentAmounts } from '../payments/transactions.table.ts'

export const earningInvariants: readonly Invariant<World>[] = [
  {
    name: 'the parts of the earnings statistics add up to the total',
    check: findUnequalStatistics,
  },
  { name: 'the earnings of an account equal the sum of its payments', check: findUnequalSums },
  { name: 'net earnings are never above gross earnings', check: findNetAboveGross },
  { name: 'every kind of earning belongs to one type', check: findUnplaced },
  {
    name: "fans' spending of each kind equals the account's earnings of that kind",
    check: findUnequalKinds,
  },
]

function findUnequalStatistics(world: World): string[] {
  return findViolations(world.db.accounts.all(), (account) => {
    const { all, ...parts } = computeEarningStatistics(world, account).total
    return (['total_gross', 'total_net'] as const).flatMap((name) => {
      const sum = Object.values(parts).reduce((cents, part) => cents + toCents(part[name]), 0)
      if (sum === toCents(all[name])) return []
      return [
        `Account ${account.id}: the parts of ${name} add up to ${sum / 100}, not ${all[name]}.`,
      ]
    })
  })
}

function findUnequalSums(world: World): string[] {
  const { db } = world
  const sums = new Map<number, { gross: number; net: number }>()
  for (const row of db.transactions.all()) {
    if (row.status === 'undo') continue
    const known = sums.get(row.accountId) ?? { gross: 0, net: 0 }
    const { gross, net } = toCentAmounts(row)
    sums.set(row.accountId, { gross: known.gross + gross, net: known.net + net })
  }
  return findViolations(db.accounts.all(), ({ id }) => {
    const { gross, net } = sumEarnings(world, id)
    const paid = sums.get(id) ?? { gross: 0, net: 0 }
    if (gross === paid.gross && net === paid.net) return []
    return [
      `The account ${id} earned ${gross / 100} gross and ${net / 100} net, but its payments add ` +
        `up to ${paid.gross / 100} and ${paid.net / 100}.`,
    ]
  })
}

function findNetAboveGross(world: World): string[] {
  return findViolations(
    world.db.earningDays.all(),
    ({ accountId, day, kind, grossCents, netCents }) =>
      netCents <= grossCents
        ? []
        : [
            `On ${day} the account ${accountId} earned ${netCents / 100} net from ${kind}, ` +
              `which is more than the gross of ${grossCents / 100}.`,
          ],
  )
}

function findUnplaced(): string[] {
  return findViolations(earningKinds, (kind) => {
    const types = Object.entries(kindsOfType).filter(([, kinds]: [string, readonly string[]]) =>
      kinds.includes(kind),
    )
    return types.length !== 1 && kind !== 'unknown'
      ? [`The earnings kind ${kind} belongs to ${types.length} types instead of one.`]
      : []
  })
}

/** Fields of a fan's spending, each with the kinds of earnings that it includes. */
const kindsOfPart = [...new Set(Object.values(spendParts))].map((part) => ({
  part,
  categories: earningKinds.filter((kind) => spendParts[kind] === part),
}))

function findUnequalKinds(world: World): string[] {
  const spent = new Map<string, number>()
  for (const row of world.db.fanSpend.all()) {
    for (const { part } of kindsOfPart) {
      const key = `${row.accountId} ${part}`
      spent.set(key, (spent.get(key) ?? 0) + toCents(row[part]))
    }
  }
  return findViolations(world.db.accounts.all(), ({ id }) =>
    kindsOfPart.flatMap(({ part, categories }) => {
      const { gross } = sumEarnings(world, id, { categories })
      const sum = spent.get(`${id} ${part}`) ?? 0
      if (gross === sum) return []
      return [
        `The account ${id} earned ${gross / 100} from ${categories.join(', ')}, but its fans ` +
          `spent ${sum / 100} on ${part}.`,
      ]
    }),
  )
}

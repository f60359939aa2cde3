import { expect, it } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'

/** Returns the records of a scenario with the given data sizes, as JSON, by table. */
async function seed(data: Record<string, unknown>): Promise<Record<string, string>> {
  const { tables } = (await createFreshSandbox('everything', { data })).snapshot()
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, JSON.stringify(rows)]),
  )
}

const asShipped = seed({})

it.each([
  // Some users who are not fans get consecutive ids: followed creators, referred creators, and
  // users in release forms.
  ['referrals', { referrals: 9 }, ['referrals', 'referralPayouts', 'fans', 'releaseForms']],
  ['creators to follow', { following: 3 }, ['follows', 'fans', 'referrals', 'releaseForms']],
  ['labels', { labels: ['One'] }, ['postLabels', 'posts', 'postDays']],
  ['user lists', { userLists: [{ name: 'VIPs', members: 4 }] }, ['userLists', 'userListMembers']],
  ['payouts', { payouts: 3 }, ['payouts']],
])('seeds other %s and leaves all other records as they were', async (_, data, changed) => {
  const [before, after] = [await asShipped, await seed(data)]
  const differing = Object.keys(before).filter((table) => before[table] !== after[table])
  expect(differing.filter((table) => !changed.includes(table))).toEqual([])
  expect(differing).not.toEqual([])
})

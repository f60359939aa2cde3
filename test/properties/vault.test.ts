import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectNoViolations } from '../support/invariants.ts'
import {
  createUnlimitedSandbox,
  listActiveAccounts,
  readAsOwner,
  walkAsOwner,
} from '../support/owner-requests.ts'
import { getRunOptions } from '../support/run-options.ts'
import { getIndexedTables } from '../support/indexed-tables.ts'

interface Row {
  id: number
  createdAt: string
  counters: { likesCount: number; tipsSumm: number }
}

type Counts = Record<string, number>

const sorts = {
  recent: () => 0,
  'most-liked': (row: Row) => row.counters.likesCount,
  'highest-tips': (row: Row) => row.counters.tipsSumm,
}
const types = ['photo', 'video', 'gif', 'audio'] as const

describe.each(['agency', 'boundaries'])('the vaults of %s', (scenario) => {
  it('return each media item once, in order, with any sort, type, list and page size', async () => {
    const sandbox = await createUnlimitedSandbox(scenario)
    const { db } = sandbox
    const accounts = listActiveAccounts(sandbox).map(({ id }) => id)
    const asked = fc.record({
      account: fc.constantFrom(...accounts),
      sort: fc.constantFrom(...(Object.keys(sorts) as (keyof typeof sorts)[])),
      order: fc.constantFrom('asc', 'desc'),
      type: fc.constantFrom(undefined, ...types),
      place: fc.nat(7),
      text: fc.constantFrom(undefined, 'ea', '.jpg'),
      limit: fc.integer({ min: 1, max: 40 }),
    })
    await fc.assert(
      fc.asyncProperty(asked, async ({ account, sort, order, type, place, text, limit }) => {
        const list =
          place === 0
            ? undefined
            : getIndexedTables(db)
                .vaultLists.in('byAccount', account)
                .at(place - 1)?.id
        const query = new URLSearchParams({ sort, order, limit: String(limit) })
        for (const [name, value] of Object.entries({ type, list_id: list, query: text }))
          if (value !== undefined) query.set(name, String(value))
        const rows = await walkAsOwner<Row>(sandbox, `/v1/${account}/vault/media?${query}`)
        const expected = db.vaultMedia.where(
          (media) =>
            media.accountId === account &&
            media.senderId === undefined &&
            (type === undefined || media.type === type) &&
            (list === undefined || media.listIds.includes(list)) &&
            (text === undefined || media.fileName.includes(text)),
        )
        expect(rows.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted())
        const ranked = rows.toSorted(
          (a, b) =>
            sorts[sort](b) - sorts[sort](a) ||
            (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : b.id - a.id),
        )
        expect(rows).toEqual(order === 'desc' ? ranked : ranked.toReversed())
      }),
      getRunOptions(8, 800),
    )
    expectNoViolations(sandbox)
  })

  it('have equal counts in the types, the lists and the filters', async () => {
    const sandbox = await createUnlimitedSandbox(scenario)
    for (const { id } of listActiveAccounts(sandbox)) {
      const path = `/v1/${id}/vault`
      const { list, all }: { list: Counts[]; all: Counts } = await readAsOwner(
        sandbox,
        `${path}/lists?limit=100`,
      )
      const { list: counted }: { list: { type: string; count: number }[] } = await readAsOwner(
        sandbox,
        `${path}/media/types`,
      )
      for (const { type, count } of counted)
        expect([type, all[`${type}sCount`]]).toEqual([type, count])
      const lists = new Set(
        sandbox.db.vaultMedia.where({ accountId: id }).flatMap(({ listIds }) => listIds),
      )
      expect([...lists].every((held) => list.some((row) => row.id === held))).toBe(true)
      for (const row of list) {
        for (const type of types) {
          const media = `${path}/media?limit=100&type=${type}&list_id=${row.id}`
          expect(await walkAsOwner(sandbox, media)).toHaveLength(row[`${type}sCount`] ?? -1)
        }
      }
    }
  })
})

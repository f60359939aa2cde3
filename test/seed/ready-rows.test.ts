import { expect, it } from 'vitest'
import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { derivedTables } from '../../src/resources/all-tables.ts'

/** Removes a payment, a post and a subscription, from which other records are derived. */
function write({ db }: Sandbox): void {
  for (const table of [db.transactions, db.posts, db.subscriptions])
    table.remove(table.all()[0]!.id)
}

const readDerived = ({ db }: Sandbox) => derivedTables.map((name) => [name, db[name].all()])

it('derives the same records if writes come before the first read, also in forks and after a reset', async () => {
  // With sizes of its own, even with none, a sandbox generates its records.
  const generated = createSandbox({ scenario: 'solo', data: {} })
  await generated.ready
  const seeded = readDerived(generated)
  write(generated)
  const written = readDerived(generated)
  const [original, forked] = [
    createSandbox({ scenario: 'solo' }),
    createSandbox({ scenario: 'solo' }),
  ]
  await Promise.all([original.ready, forked.ready])
  write(original)
  const fork = forked.fork()
  write(fork)

  expect(readDerived(original)).toEqual(written)
  expect(readDerived(fork)).toEqual(written)
  expect(readDerived(forked)).toEqual(seeded)
  original.reset()
  expect(readDerived(original)).toEqual(seeded)
})

import { expect, it } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'

const account_id = 100_200_300
const largest = (ids: readonly string[]) =>
  Math.max(...ids.map(Number).filter(Number.isSafeInteger))

it.each(['tx-1', '9', '999999999999', '704399999999'])(
  'assigns ids above all numeric ids of a table, whatever other ids it has (%s)',
  async (own) => {
    const { db, act } = await openActingSandbox()
    const [first] = db.transactions.all()
    db.transactions.insert({ ...first!, id: own })
    for (let round = 0; round < 3; round += 1) {
      const before = db.transactions.all().map(({ id }) => id)
      act()
      const given = db.transactions.all().find(({ id }) => !before.includes(id))
      expect(Number(given?.id)).toBeGreaterThan(largest(before))
    }
  },
)

it('respects the id of a hand-written record between two others', async () => {
  const { db, act } = await openActingSandbox()
  db.transactions.insert({ ...db.transactions.all()[0]!, id: 'tx-1' })
  act()
  db.transactions.insert({ ...db.transactions.all()[0]!, id: '805000000000' })
  act()
  expect(largest(db.transactions.all().map(({ id }) => id))).toBeGreaterThan(805_000_000_000)
})

it('never reuses the id of a removed record', async () => {
  const { db, act } = await openActingSandbox()
  act()
  const last = db.transactions.all().at(-1)!
  db.transactions.remove(last.id)
  act()
  expect(Number(db.transactions.all().at(-1)!.id)).toBeGreaterThan(Number(last.id))
})

it('respects the ids of a hand-written snapshot', async () => {
  const { sandbox, db, act } = await openActingSandbox()
  act()
  const snapshot = JSON.parse(JSON.stringify(sandbox.snapshot()))
  snapshot.tables.transactions.push({ ...snapshot.tables.transactions[0], id: '805000000000' })
  await sandbox.restore(snapshot)
  act()
  expect(largest(db.transactions.all().map(({ id }) => id))).toBeGreaterThan(805_000_000_000)
})

async function openActingSandbox() {
  const sandbox = await createFreshSandbox('solo')
  return { sandbox, db: sandbox.db, act: () => sandbox.act({ type: 'tip', account_id }) }
}

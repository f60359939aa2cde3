import { expect, it } from 'vitest'
import { Budget, Meter } from '../../src/engine/budget.ts'
import { Trail } from '../../src/engine/trail.ts'

it('counts what it keeps in the budget, and gives it back with what it drops', () => {
  const budget = new Budget(10_000_000)
  const trail = new Trail(() => 0, new Meter(budget))
  for (let id = 1; id <= 5; id += 1) trail.note('posts', undefined, { id })
  const ofFive = budget.used
  expect(ofFive).toBeGreaterThan(0)
  trail.dropAfter(2)
  expect(budget.used).toBe((ofFive / 5) * 2)
  trail.dropAfter(0)
  expect(budget.used).toBe(0)
})

it('takes no more of the budget however many records change', () => {
  const budget = new Budget(1_000_000_000)
  const trail = new Trail(() => 0, new Meter(budget))
  const change = (id: number) => trail.note('posts', undefined, { id })
  for (let id = 0; id < 3_000; id += 1) change(id)
  const { used } = budget
  for (let id = 3_000; id < 9_000; id += 1) change(id)
  expect(budget.used).toBe(used)
  for (let time = 0; time < 1_000; time += 1) change(8_999)
  expect(budget.used).toBeLessThan(used * 1.1)
})

it('forgets the records first that changed longest ago, whatever their table', () => {
  const trail = new Trail(() => 0)
  const change = (id: number) => trail.note(id % 2 === 0 ? 'posts' : 'fans', undefined, { id })
  for (let id = 0; id < 2_000; id += 1) change(id)
  change(4)
  change(2_000)
  const isKnown = (id: number) => trail.of(id % 2 === 0 ? 'posts' : 'fans', id).length > 0
  expect([0, 3, 4, 5, 998, 1_999, 2_000].filter(isKnown)).toEqual([4, 1_999, 2_000])
})

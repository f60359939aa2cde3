import { expect, it } from 'vitest'
import { finish, inUnits, isWork } from '../../src/world/work.ts'

it('goes through all rows, and pauses after each unit', () => {
  const seen: number[] = []
  const work = inUnits([1, 2, 3, 4, 5], (row) => seen.push(row), 2)
  work.next()
  expect(seen).toEqual([1, 2])
  finish(work)
  expect(seen).toEqual([1, 2, 3, 4, 5])
})

it('tells work from other results', () => {
  expect(
    [inUnits([1], Number), [], {}, null, undefined, 'text', new Map().values()].map(isWork),
  ).toEqual([true, ...Array(6).fill(false)])
})

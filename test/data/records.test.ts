import { expect, it } from 'vitest'
import { Records } from '../../src/data/records.ts'

const count = 2_000

function createRows() {
  return Array.from({ length: count }, (_, place) => ({
    id: ((place * 7) % count) + 1,
    tags: ['new'],
  }))
}

it('leaves records as they came until somebody looks', () => {
  const records = new Records(createRows(), () => ['tags'])
  expect(Object.isFrozen(records.unsorted[0])).toBe(false)
  expect(records.rows.map(({ id }) => id)).toEqual(
    Array.from({ length: count }, (_, place) => place + 1),
  )
  expect(records.rows.every((row) => Object.isFrozen(row) && Object.isFrozen(row.tags))).toBe(true)
})

it('asks for the fields of no record', () => {
  const records = new Records([], () => expect.fail('Nobody has to know the fields.'))
  expect(records.rows).toEqual([])
})

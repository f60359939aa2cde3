import { expect, it } from 'vitest'
import { Trail } from '../../src/engine/trail.ts'

it('forgets the records first that changed longest ago, whatever their table', () => {
  const trail = new Trail(() => 0)
  const change = (id: number) => trail.note(id % 2 === 0 ? 'posts' : 'fans', undefined, { id })
  for (let id = 0; id < 2_000; id += 1) change(id)
  change(4)
  change(2_000)
  const isKnown = (id: number) => trail.of(id % 2 === 0 ? 'posts' : 'fans', id).length > 0
  expect([0, 3, 4, 5, 998, 1_999, 2_000].filter(isKnown)).toEqual([4, 1_999, 2_000])
})

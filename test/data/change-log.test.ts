import { expect, it } from 'vitest'
import { ChangeLog } from '../../src/data/change-log.ts'

it('first drops the least recently changed records of all tables', () => {
  const changeLog = new ChangeLog(() => 0)
  const change = (id: number) =>
    changeLog.add(id % 2 === 0 ? 'posts' : 'fans', [{ before: undefined, after: { id } }])
  for (let id = 0; id < 2_000; id += 1) change(id)
  change(4)
  change(2_000)
  const isKnown = (id: number) =>
    changeLog.listChanges(id % 2 === 0 ? 'posts' : 'fans', id).length > 0
  expect([0, 3, 4, 5, 998, 1_999, 2_000].filter(isKnown)).toEqual([4, 1_999, 2_000])
})

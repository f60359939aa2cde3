import { expect, it } from 'vitest'
import { sortTopologically } from '../../src/lib/topological-sort.ts'

const names = (steps: readonly { name: string; after?: readonly string[] }[]) =>
  sortTopologically(steps).map(({ name }) => name)

it('keeps the given order of independent steps', () => {
  expect(names([{ name: 'posts' }, { name: 'fans' }, { name: 'chats' }])).toEqual([
    'posts',
    'fans',
    'chats',
  ])
})

it('puts a step after its dependencies, as early as possible', () => {
  expect(
    names([
      { name: 'payments', after: ['posts', 'fans'] },
      { name: 'fans', after: ['links'] },
      { name: 'posts' },
      { name: 'links' },
    ]),
  ).toEqual(['posts', 'links', 'fans', 'payments'])
})

it('rejects a dependency that does not exist, and names both steps', () => {
  expect(() => names([{ name: 'posts', after: ['vaults'] }, { name: 'vault' }])).toThrow(
    'The step "posts" comes after "vaults", but there is no such step. The steps are posts, vault.',
  )
})

it('rejects steps that depend on each other', () => {
  expect(() =>
    names([
      { name: 'posts', after: ['fans'] },
      { name: 'fans', after: ['posts'] },
      { name: 'tags' },
    ]),
  ).toThrow('These steps depend on each other: posts, fans.')
})

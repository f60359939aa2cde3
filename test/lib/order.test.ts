import { expect, it } from 'vitest'
import { inOrder } from '../../src/lib/order.ts'

const names = (steps: readonly { name: string; after?: readonly string[] }[]) =>
  inOrder(steps).map(({ name }) => name)

it('leaves steps that wait for nothing in the order given', () => {
  expect(names([{ name: 'posts' }, { name: 'fans' }, { name: 'chats' }])).toEqual([
    'posts',
    'fans',
    'chats',
  ])
})

it('puts a step after those that it names, and as early as they let it', () => {
  expect(
    names([
      { name: 'payments', after: ['posts', 'fans'] },
      { name: 'fans', after: ['links'] },
      { name: 'posts' },
      { name: 'links' },
    ]),
  ).toEqual(['posts', 'links', 'fans', 'payments'])
})

it('refuses a step that comes after none that there is, naming both', () => {
  expect(() => names([{ name: 'posts', after: ['vaults'] }, { name: 'vault' }])).toThrow(
    'The step "posts" comes after "vaults", but there is no such step. There are posts, vault.',
  )
})

it('refuses steps that wait for one another', () => {
  expect(() =>
    names([
      { name: 'posts', after: ['fans'] },
      { name: 'fans', after: ['posts'] },
      { name: 'tags' },
    ]),
  ).toThrow('These steps wait for one another: posts, fans.')
})

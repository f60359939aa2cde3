import { expect, it } from 'vitest'
import { Random } from '../../src/world/random.ts'
import { ShuffledDeck } from '../../src/seed/text-picker.ts'

const anyCard = () => true

it('deals each card once before it repeats one', () => {
  const pack = new ShuffledDeck(new Random(1), ['a', 'b', 'c'])
  const round = () => [0, 1, 2].map(() => pack.deal(anyCard)).toSorted()
  expect([round(), round()]).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ])
})

it('keeps rejected cards for later, and repeats the card that was dealt first if no new one is accepted', () => {
  const pack = new ShuffledDeck(new Random(1), [1, 2, 3, 4])
  const even = (card: number) => card % 2 === 0
  const [first, second, third] = [pack.deal(even), pack.deal(even), pack.deal(even)]
  expect([first, second].toSorted()).toEqual([2, 4])
  expect(third).toBe(first)
  expect([pack.deal(anyCard), pack.deal(anyCard)].toSorted()).toEqual([1, 3])
})

it('deals no card if none is accepted', () => {
  const pack = new ShuffledDeck(new Random(1), ['a', 'b'])
  expect(pack.deal(() => false)).toBeUndefined()
  expect(new ShuffledDeck(new Random(1), []).deal(anyCard)).toBeUndefined()
})

import { expect, it } from 'vitest'
import { Random } from '../../src/world/random.ts'
import { CaptionHistory, Sentence } from '../../src/resources/posts/caption-history.ts'
import { PhrasePicker } from '../../src/seed/phrases.ts'

const speaker = new PhrasePicker(new Random(1), { words: {} })
const [open, other, close] = speaker.parse([
  'Cooked {dish} for {3-5} of us last night.',
  'Nobody left before the cake was gone.',
  'Bring a spoon.',
])

/** Returns the sentences of a caption, with values in place of the placeholders. */
function caption(dish: string, guests: number, ...more: (typeof open)[]): Sentence[] {
  return [
    new Sentence(open!, `Cooked ${dish} for ${guests} of us last night.`),
    ...more.map((phrase) => new Sentence(phrase!, phrase!.text)),
  ]
}

it('measures the repetition of a caption, ignoring numbers', () => {
  const history = new CaptionHistory()
  expect(history.estimateOverlap(caption('soup', 3, other))).toBe(0)
  history.remember(caption('soup', 3, other))
  expect(history.estimateOverlap(caption('soup', 4, other))).toBe(1)
  expect(history.estimateOverlap(caption('soup', 4, other, close))).toBeGreaterThan(0.7)
  expect(
    history.estimateOverlap(caption('a very slow stew with beans and bay', 4, other, close)),
  ).toBeLessThan(0.6)
  expect(history.estimateOverlap(caption('soup', 3, close))).toBeLessThan(0.5)
})

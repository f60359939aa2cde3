import { expect } from 'vitest'
import { Random } from '../../src/world/random.ts'
import { toPlainText } from '../../src/lib/text.ts'
import { shippedPersonas } from '../../src/generated/persona-index.ts'
import { CaptionWriter } from '../../src/resources/posts/caption.ts'
import { createPhraseContext } from '../../src/seed/phrase-context.ts'
import {
  normalizeText,
  getLastSentence,
  countMaxRepeats,
  computeSequenceOverlap,
  listWordSequences,
} from './texts.ts'

const hourMs = 3_600_000

/** Returns a thousand captions of a shipped persona as plain text. */
export async function createCaptions(name: string, seed: number): Promise<string[]> {
  const { default: persona } = await shippedPersonas[name]!()
  const writer = new CaptionWriter(new Random(seed), persona)
  const start = Date.UTC(2024, 9, 1)
  return Array.from({ length: 1000 }, (_, index) =>
    toPlainText(
      writer.write({
        context: createPhraseContext(persona, start + index * 17 * hourMs),
        topic: writer.drawTopic(),
        media: [['photo'], [], ['video']][index % 3]!,
      }),
    ),
  )
}

/**
 * Expects that 900 of a thousand captions are distinct, that no ending occurs more than 20 times,
 * and that no two captions in a sample of a hundred are very similar.
 */
export function expectVariedCaptions(captions: readonly string[], seed: number): void {
  expect(new Set(captions.map(normalizeText)).size).toBeGreaterThanOrEqual(900)
  expect(countMaxRepeats(captions.map(getLastSentence))).toBeLessThanOrEqual(20)
  const random = new Random(seed)
  const hundred = new Set(Array.from({ length: 100 }, () => random.integer(0, captions.length - 1)))
  const drawn = [...hundred].map((index) => ({
    caption: captions[index]!,
    sequences: listWordSequences(captions[index]!),
  }))
  const alike = drawn.flatMap((one, place) =>
    drawn
      .slice(place + 1)
      .filter((other) => computeSequenceOverlap(one.sequences, other.sequences) > 0.6)
      .map((other) => [one.caption, other.caption]),
  )
  expect(alike).toEqual([])
}
